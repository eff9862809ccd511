#include "inspector/numeric_gap/kernel_nodes.h"

#include "inspector/names/operator_names.h"
#include "inspector/numeric_gap/fitted_tensor.h"

#include <optional>
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

}  // namespace et::inspector
