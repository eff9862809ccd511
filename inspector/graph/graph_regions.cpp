#include "inspector/graph/graph_regions.h"

#include "runtime/core/disjoint_sets.h"

#include <algorithm>
#include <cstdint>
#include <map>

namespace et::inspector {

using core::GraphNode;
using core::GraphNodeId;
using core::ModelGraph;

namespace {

using Role = QuantizationRole;

class Clusters {
  public:
    explicit Clusters(const ModelGraph& of)
        : graph(of),
          roles(of.nodes().size()),
          after(roles.size()),
          before(roles.size()),
          sets(roles.size()) {}

    QuantizedClusters find() {
        markWays();
        joinNeighbours();
        QuantizedClusters clusters{.of = std::vector<std::optional<std::size_t>>(roles.size())};
        std::map<std::uint32_t, std::size_t> numbers;
        for (std::size_t i = 0; i < roles.size(); ++i) {
            if (belongs(i)) {
                clusters.of[i] =
                    numbers.try_emplace(sets.leader(static_cast<std::uint32_t>(i)), numbers.size())
                        .first->second;
            }
        }
        clusters.count = numbers.size();
        return clusters;
    }

  private:
    /// Marks nodes reachable from dequantize nodes, and nodes from which a quantize node is reachable;
    /// neither crosses another such node. Nodes are in execution order.
    void markWays() {
        for (std::size_t i = 0; i < roles.size(); ++i) {
            const GraphNode& node = graph.nodes()[i];
            roles[i] = quantizationRole(node);
            after[i] = roles[i] == Role::Dequantize || anyProducer(node, after);
        }
        for (std::size_t i = roles.size(); i-- > 0;) {
            before[i] = roles[i] == Role::Quantize || anyConsumer(graph.nodes()[i], before);
        }
    }

    [[nodiscard]] bool anyProducer(const GraphNode& node, const std::vector<bool>& flags) const {
        return std::ranges::any_of(node.inputs, [&](core::GraphValueId id) {
            const auto& from = graph.value(id).producer;
            return from && roles[from->value] != Role::Quantize && flags[from->value];
        });
    }

    [[nodiscard]] bool anyConsumer(const GraphNode& node, const std::vector<bool>& flags) const {
        return std::ranges::any_of(node.outputs, [&](core::GraphValueId id) {
            return std::ranges::any_of(graph.value(id).consumers, [&](GraphNodeId to) {
                return roles[to.value] != Role::Dequantize && flags[to.value];
            });
        });
    }

    [[nodiscard]] bool belongs(std::size_t node) const { return after[node] && before[node]; }

    void joinNeighbours() {
        for (std::size_t i = 0; i < roles.size(); ++i) {
            if (!belongs(i) || roles[i] == Role::Dequantize) {
                continue;
            }
            for (const core::GraphValueId id : graph.nodes()[i].inputs) {
                const auto& from = graph.value(id).producer;
                if (from && belongs(from->value) && roles[from->value] != Role::Quantize) {
                    sets.join(static_cast<std::uint32_t>(i), from->value);
                }
            }
        }
    }

    const ModelGraph& graph;
    std::vector<Role> roles;
    std::vector<bool> after;
    std::vector<bool> before;
    core::DisjointSets sets;  ///< one per cluster
};

}  // namespace

std::string partitionOf(const ModelGraph& graph, const GraphNode& node) {
    for (auto group = node.group; group; group = graph.group(*group).parent) {
        if (graph.group(*group).kind == "delegate") {
            return graph.group(*group).name;
        }
    }
    const auto where = std::ranges::find(node.attributes, runsIn, &core::GraphAttribute::name);
    if (where != node.attributes.end()) {
        return where->text.contains(',') ? where->text : std::string(notDelegated);
    }
    const bool delegate = std::ranges::contains(node.attributes, "delegate", &core::GraphAttribute::name);
    if (delegate) {
        return node.kind;
    }
    return node.instruction ? std::string(notDelegated) : std::string();
}

QuantizationRole quantizationRole(const GraphNode& node) {
    if (node.kind.contains("dequantize")) {
        return QuantizationRole::Dequantize;
    }
    const bool quantizes = node.kind.contains("quantize_per_") || node.kind.contains("choose_qparams");
    return quantizes ? QuantizationRole::Quantize : QuantizationRole::Compute;
}

QuantizedClusters quantizedClusters(const ModelGraph& graph) {
    return Clusters(graph).find();
}

}  // namespace et::inspector
