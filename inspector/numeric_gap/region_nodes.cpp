#include "inspector/numeric_gap/region_nodes.h"

#include <algorithm>

namespace et::inspector {

using core::DebugHandle;
using etrecord::NodeIndex;

std::vector<NodeIndex> nodesOfRegion(const GraphWalk& graph, const DelegateRegion& region,
                                     const std::set<NodeIndex>& taken,
                                     const std::function<bool(DebugHandle)>& isOwned) {
    const auto& nodes = graph.graph().nodes;
    const auto hasHandle = [&](NodeIndex index) {
        return std::ranges::any_of(nodes[index].debugHandles,
                                   [&](DebugHandle each) { return region.handles.contains(each); });
    };
    const auto isUnowned = [&](NodeIndex index) {
        return !taken.contains(index) && std::ranges::none_of(nodes[index].debugHandles, isOwned);
    };
    std::vector<NodeIndex> waiting;
    for (NodeIndex index = 0; index < nodes.size(); ++index) {
        if (!taken.contains(index) && (hasHandle(index) || (region.handles.empty() && isUnowned(index)))) {
            waiting.push_back(index);
        }
    }
    std::set<NodeIndex> inside(waiting.begin(), waiting.end());
    const auto visit = [&](NodeIndex index) {
        if (isUnowned(index) && inside.insert(index).second) {
            waiting.push_back(index);
        }
    };
    while (!waiting.empty()) {
        const NodeIndex index = waiting.back();
        waiting.pop_back();
        for (const std::string_view value : graph.resultsOf(index)) {
            std::ranges::for_each(graph.consumersOf(value), visit);
        }
        for (const std::string_view value : graph.inputsOf(index)) {
            if (const auto producer = graph.producerOf(value)) {
                visit(*producer);
            }
        }
    }
    std::erase_if(inside, [&](NodeIndex index) { return graph.isConstant(index); });
    return {inside.begin(), inside.end()};
}

std::vector<std::string_view> resultsOf(const GraphWalk& graph, std::span<const NodeIndex> nodes) {
    std::vector<std::string_view> results;
    for (const NodeIndex index : nodes) {
        for (const std::string_view value : graph.resultsOf(index)) {
            const auto isOutside = [&](NodeIndex reader) {
                return !std::ranges::binary_search(nodes, reader);
            };
            if (graph.isGraphOutput(value) || std::ranges::any_of(graph.consumersOf(value), isOutside)) {
                results.push_back(value);
            }
        }
    }
    return results;
}

bool hasUntakenResult(const GraphWalk& graph, const DelegateRegion& region,
                      const std::set<NodeIndex>& taken) {
    const auto isInside = [&](NodeIndex index) {
        return std::ranges::any_of(graph.node(index).debugHandles,
                                   [&](DebugHandle each) { return region.handles.contains(each); });
    };
    const auto leaves = [&](std::string_view value) {
        return graph.isGraphOutput(value) || !std::ranges::all_of(graph.consumersOf(value), isInside);
    };
    for (NodeIndex index = 0; region.shared.empty() && index < graph.graph().nodes.size(); ++index) {
        if (isInside(index) && !taken.contains(index) &&
            std::ranges::any_of(graph.resultsOf(index), leaves)) {
            return true;
        }
    }
    return false;
}

}  // namespace et::inspector
