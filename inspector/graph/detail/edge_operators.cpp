#include "inspector/graph/detail/edge_operators.h"

#include "backends/inlined_delegate.h"
#include "inspector/graph/graph_labels.h"
#include "inspector/join/node_fields.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace et::inspector::graph::detail {
namespace {

void describe(core::GraphNode& node, const std::vector<const etrecord::Node*>& edges) {
    std::string operators;
    for (const etrecord::Node* edge : edges) {
        operators += (operators.empty() ? "" : ", ") + edge->op;
    }
    node.attributes.push_back({std::string(edgeOperatorsAttribute), std::move(operators)});
    const format::Cell module = commonModule(edges);
    if (const auto* path = std::get_if<std::string>(&module);
        path != nullptr && !path->empty() && !isNoModule(*path)) {
        node.attributes.push_back({"module", *path});
    }
}

}  // namespace

core::ModelGraph withEdgeOperators(core::ModelGraph graph, const InstructionNodes& edges) {
    constexpr std::size_t maxNamed = 8;  // more nodes have no common name
    if (!edges.known()) {
        return graph;
    }
    return backends::rebuilt(graph, {}, [&](core::GraphNode& node) {
        const std::vector<const etrecord::Node*> found = edges.nodesOf(node.debugHandles);
        if (!found.empty() && found.size() <= maxNamed) {
            describe(node, found);
        }
    });
}

}  // namespace et::inspector::graph::detail
