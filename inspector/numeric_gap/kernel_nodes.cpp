#include "inspector/numeric_gap/kernel_nodes.h"

#include "inspector/names/operator_names.h"
#include "inspector/numeric_gap/fitted_tensor.h"

#include <algorithm>
#include <optional>
#include <ranges>
#include <set>
#include <string_view>

namespace et::inspector {
namespace {

using core::DebugHandle;
using etrecord::NodeIndex;

std::optional<NodeIndex> nodeOf(const UnitSources& sources, const RuntimeCall& call, bool byName,
                                const std::set<NodeIndex>& taken) {
    const std::string_view kernel = names::detail::kernelOperator(call.name);
    const auto* first =
        call.values.empty() ? nullptr : call.values.front().as<backends::reference::ReferenceTensor>();
    const auto entry = sources.maps.debugHandles.find(core::InstructionId(call.instruction));
    if (first == nullptr || entry == sources.maps.debugHandles.end()) {
        return std::nullopt;
    }
    std::optional<NodeIndex> best;
    double closest = 0;
    for (const DebugHandle handle : entry->second.handles) {
        const auto nodes = sources.graph.graph().nodesOf(handle);
        for (const NodeIndex index : nodes) {
            const auto* expected = tensorIn(sources.reference, sources.graph.resultOf(index));
            const bool isNamed = names::detail::mayImplement(
                kernel, names::detail::nodeOperator(sources.graph.node(index).op));
            // A kernel with a node of its own may compute a matrix for it: a linear layer of [3, 5, 20].
            const bool fits =
                expected != nullptr && (sameSizes(first->view, expected->view) ||
                                        (nodes.size() == 1 && haveMergedSizes(first->view, expected->view)));
            if (taken.contains(index) || !fits || isNamed != byName) {
                continue;
            }
            const double distance = computeDistance(first->view, expected->view);
            if (!best || distance < closest) {
                best = index;
                closest = distance;
            }
        }
    }
    return best;
}

}  // namespace

KernelNodes matchKernels(const UnitSources& sources) {
    KernelNodes places;
    std::set<NodeIndex> taken;
    for (const bool byName : {true, false}) {
        for (const RuntimeCall& call : sources.runtime.calls) {
            const bool isHelper = names::detail::isHelperOperator(names::detail::kernelOperator(call.name));
            if (call.isDelegate() || places.contains(&call) || (isHelper && !byName)) {
                continue;
            }
            if (sources.store != nullptr) {
                sources.store->release();
            }
            if (const auto node = nodeOf(sources, call, byName, taken)) {
                places.emplace(&call, *node);
                taken.insert(*node);
            }
        }
    }
    return places;
}

std::vector<std::optional<std::size_t>> placesOfValues(
    const UnitSources& sources, std::span<const backends::reference::ReferenceValue> values,
    std::span<const std::string_view> names) {
    const auto fits = [&](std::size_t value, std::size_t name) {
        const auto* tensor = values[value].as<backends::reference::ReferenceTensor>();
        const auto* expected = tensorIn(sources.reference, names[name]);
        return tensor != nullptr && expected != nullptr && sameSizes(tensor->view, expected->view);
    };
    const auto isRead = [&](std::size_t name) {
        return !sources.graph.consumersOf(names[name]).empty() || sources.graph.isGraphOutput(names[name]);
    };
    std::vector<std::optional<std::size_t>> places(std::min(names.size(), values.size()));
    std::set<std::size_t> moved;  // names that took the value of another position
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (fits(i, i) && isRead(i)) {
            places[i] = i;
            continue;
        }
        const auto all = std::views::iota(std::size_t{0}, names.size());
        const auto other = std::ranges::find_if(all, [&](std::size_t at) {
            return at != i && !moved.contains(at) && isRead(at) && fits(i, at) &&
                   (at >= values.size() || !fits(at, at));
        });
        if (other != all.end()) {
            places[i] = *other;
            moved.insert(*other);
        } else if (!moved.contains(i)) {
            places[i] = i;
        }
    }
    return places;
}

}  // namespace et::inspector
