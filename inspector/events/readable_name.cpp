#include "inspector/events/readable_name.h"

#include "inspector/events/event_fields.h"
#include "inspector/join/node_fields.h"
#include "inspector/names/operator_names.h"
#include "inspector/names/plain_operator.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <variant>
#include <vector>

namespace et::inspector::events {
namespace {

using Plain = std::pair<std::string_view, std::string_view>;

constexpr std::array frameworkNames{
    Plain{names::detail::methodExecute, "Inference"},
    Plain{names::detail::loadMethod, "Load"},
    Plain{names::detail::methodInit, "Initialize"},
    Plain{core::event_name::loadProgram, "Load program"},
};
/// The runtime's names of blocks, with plain ones.
constexpr std::array blockNames{Plain{"Default", "Load"}, Plain{"Execute", "Inference"}};

template <std::size_t N>
std::string_view plainOf(const std::array<Plain, N>& names, std::string_view name) {
    const auto* const found = std::ranges::find(names, name, &Plain::first);
    return found == names.end() ? std::string_view() : found->second;
}

std::string kernelName(const Block& block, std::string_view kernel,
                       const std::vector<const etrecord::Node*>& nodes) {
    for (const etrecord::Node* const node : nodes) {
        if (names::detail::mayImplement(kernel, names::detail::nodeOperator(node->op))) {
            return plainOperator(kernel, resultRank(block.graph, *node));
        }
    }
    return plainOperator(kernel);
}

std::string operatorName(const Block& block, const Event& event) {
    const std::vector<const etrecord::Node*> nodes = nodesOf(block, event);
    if (event.delegated) {
        const std::string name = event.handleSource == HandleSource::WholeDelegate
                                     ? std::string()
                                     : joinedName(block.graph, nodes);
        return name.empty() ? std::string(event.name) : name;
    }
    if (const std::string_view kernel = names::detail::kernelOperator(event.name); !kernel.empty()) {
        return kernelName(block, kernel, nodes);
    }
    if (event.name != names::detail::operatorCall) {
        return std::string(event.name);
    }
    const std::string name = joinedName(block.graph, nodes);
    return name.empty() ? "Operator call" : name;
}

}  // namespace

std::string readableOperator(const Block& block, const Event& event) {
    if (const std::string_view plain = plainOf(frameworkNames, event.name); !plain.empty()) {
        return std::string(plain);
    }
    if (event.name == names::detail::delegateCall && !event.delegated) {
        return std::string(event.backend.empty() ? "Delegate call" : event.backend);
    }
    return operatorName(block, event);
}

std::string readableModule(const Block& block, const Event& event) {
    format::Cell module = commonModule(block, event);
    auto* const path = std::get_if<std::string>(&module);
    return path == nullptr || isNoModule(*path) ? std::string() : std::move(*path);
}

std::string readableName(const Block& block, const Event& event) {
    const std::string module = readableModule(block, event);
    return module.empty() ? readableOperator(block, event) : readableOperator(block, event) + " · " + module;
}

std::string readableBlock(std::string_view name) {
    const std::string_view plain = plainOf(blockNames, name);
    return std::string(plain.empty() ? name : plain);
}

std::string readableBlock(const Block& block) {
    return readableBlock(std::string_view(block.name));
}

}  // namespace et::inspector::events
