#include "inspector/graph/graph_walks.h"

#include <algorithm>
#include <utility>

namespace et::inspector {

using core::GraphNodeId;
using core::ModelGraph;

NodeSet reachable(const ModelGraph& graph, std::span<const GraphNodeId> from, WalkTo direction,
                  std::size_t steps) {
    NodeSet reached(graph.nodes().size());
    std::vector<bool> crossed(graph.values().size());
    std::vector<GraphNodeId> front(from.begin(), from.end());
    for (const GraphNodeId id : front) {
        reached[id.value] = true;
    }
    std::vector<GraphNodeId> next;
    const auto reach = [&](GraphNodeId id) {
        if (!reached[id.value]) {
            reached[id.value] = true;
            next.push_back(id);
        }
    };
    for (std::size_t step = 0; step < steps && !front.empty(); ++step) {
        for (const GraphNodeId id : front) {
            const core::GraphNode& node = graph.node(id);
            for (const core::GraphValueId value : direction == WalkTo::Inputs ? node.inputs : node.outputs) {
                if (crossed[value.value]) {
                    continue;
                }
                crossed[value.value] = true;
                if (direction == WalkTo::Outputs) {
                    std::ranges::for_each(graph.value(value).consumers, reach);
                } else if (const auto& producer = graph.value(value).producer) {
                    reach(*producer);
                }
            }
        }
        front = std::exchange(next, {});
    }
    return reached;
}

NodeSet between(const ModelGraph& graph, std::span<const GraphNodeId> from, std::span<const GraphNodeId> to) {
    NodeSet way(graph.nodes().size());
    for (const WalkTo direction : {WalkTo::Outputs, WalkTo::Inputs}) {
        const bool along = direction == WalkTo::Outputs;
        const NodeSet after = reachable(graph, along ? from : to, WalkTo::Outputs);
        const NodeSet before = reachable(graph, along ? to : from, WalkTo::Inputs);
        for (std::size_t i = 0; i < way.size(); ++i) {
            way[i] = after[i] && before[i];
        }
        if (std::ranges::contains(way, true)) {
            break;
        }
    }
    return way;
}

}  // namespace et::inspector
