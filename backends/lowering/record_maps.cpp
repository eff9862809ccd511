#include "backends/lowering/record_maps.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <variant>
#include <vector>

namespace et::backends::lowering {
namespace {

using core::DebugHandle;

std::vector<DebugHandle> handlesOf(const LoweredMethod& method, const EmittedMethod::Origin& origin) {
    if (const auto* node = std::get_if<const etrecord::Node*>(&origin)) {
        return (*node)->debugHandles;
    }
    std::set<DebugHandle> handles;
    for (const auto node : method.partition.parts[std::get<std::size_t>(origin)].nodes) {
        const auto& own = method.graph->nodes[node].debugHandles;
        handles.insert(own.begin(), own.end());
    }
    return {handles.begin(), handles.end()};
}

etrecord::MethodMaps mapsOf(const LoweredMethod& method) {
    etrecord::MethodMaps maps;
    for (const auto& [instruction, origin] : method.emitted.origins) {
        const auto* part = std::get_if<std::size_t>(&origin);
        const auto handles = handlesOf(method, origin);
        if (part != nullptr || !handles.empty()) {
            maps.debugHandles[instruction] = {.handles = handles,
                                              .list = part != nullptr || handles.size() > 1};
        }
        if (part != nullptr) {
            maps.delegates[instruction] = {.backend = method.partition.parts[*part].backend,
                                           .identifiers = {}};
        } else {
            const auto& node = *std::get<const etrecord::Node*>(origin);
            maps.outputCounts[instruction] = static_cast<std::int64_t>(node.outputs.size());
        }
    }
    return maps;
}

}  // namespace

std::map<std::string, etrecord::MethodMaps, std::less<>> mapsOf(const LoweredProgram& program) {
    std::map<std::string, etrecord::MethodMaps, std::less<>> maps;
    for (const LoweredMethod& method : program.methods) {
        maps.emplace(method.name, mapsOf(method));
    }
    return maps;
}

}  // namespace et::backends::lowering
