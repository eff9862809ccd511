#include "inspector/graph/simplify.h"

#include "inspector/graph/detail/non_computing_nodes.h"
#include "inspector/graph/detail/repeats.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace et::inspector {

using core::GraphGroupId;
using core::GraphNode;
using core::GraphValue;
using core::GraphValueId;
using core::ModelGraph;

namespace {

/// The graph without its hidden nodes. Values keep their ids; values that are no longer used are not inputs.
ModelGraph withoutPlumbing(const ModelGraph& graph, std::size_t& hidden) {
    const graph::detail::NonComputingNodes plumbing = graph::detail::findPlumbing(graph);
    const auto adopted = graph::detail::adoptedGroups(graph, plumbing);
    ModelGraph out;
    out.name = graph.name;
    for (const core::GraphGroup& group : graph.groups()) {
        out.addGroup(group);
    }
    for (const GraphValue& value : graph.values()) {
        GraphValue copy = value;
        copy.producer.reset();
        copy.consumers.clear();
        out.addValue(std::move(copy));
    }
    for (std::size_t i = 0; i < graph.nodes().size(); ++i) {
        if (plumbing.hidden[i]) {
            ++hidden;
            continue;
        }
        GraphNode node = graph.nodes()[i];
        for (GraphValueId& input : node.inputs) {
            input = plumbing.standIn[input.value];
        }
        node.group = node.group ? node.group : adopted[i];
        out.addNode(std::move(node));
    }
    for (std::uint32_t i = 0; i < out.values().size(); ++i) {
        const GraphValue& value = out.values()[i];
        const bool used = !value.consumers.empty() || graph.values()[i].consumers.empty();
        if (!used && value.role == GraphValue::Role::Input) {
            out.setRole(GraphValueId(i), GraphValue::Role::Intermediate);
        }
    }
    return out;
}

/// Repeat of each node, from the groups around it.
std::vector<std::optional<std::size_t>> repeatsOfNodes(
    const ModelGraph& graph, const std::vector<std::optional<std::size_t>>& repeatOf) {
    std::vector<std::optional<std::size_t>> of;
    for (const GraphNode& node : graph.nodes()) {
        std::optional<std::size_t> repeat;
        for (auto group = node.group; group && !repeat; group = graph.group(*group).parent) {
            repeat = repeatOf[group->value];
        }
        of.push_back(repeat);
    }
    return of;
}

/// Assigns delegates outside all modules that run between modules of one repeat to it, in `repeatOf`.
void adoptDelegates(const ModelGraph& graph, std::vector<std::optional<std::size_t>>& repeatOf) {
    const auto ofNode = repeatsOfNodes(graph, repeatOf);
    struct Around {
        std::optional<std::size_t> repeat{};
        bool others = false;  ///< connected to a node outside the repeat, or in another one
    };
    std::map<GraphGroupId, Around> delegates;
    const auto meet = [&](Around& around, const GraphNode& node, core::GraphNodeId other) {
        if (graph.node(other).group != node.group) {
            const auto repeat = ofNode[other.value];
            around.others |= !repeat || (around.repeat && around.repeat != repeat);
            around.repeat = repeat;
        }
    };
    for (const GraphNode& node : graph.nodes()) {
        if (!node.group || graph.group(*node.group).parent || graph.group(*node.group).kind != "delegate") {
            continue;
        }
        Around& around = delegates[*node.group];
        for (const GraphValueId input : node.inputs) {
            if (const auto producer = graph.value(input).producer) {
                meet(around, node, *producer);
            }
        }
        for (const GraphValueId output : node.outputs) {
            for (const core::GraphNodeId consumer : graph.value(output).consumers) {
                meet(around, node, consumer);
            }
        }
    }
    for (const auto& [group, around] : delegates) {
        if (around.repeat && !around.others) {
            repeatOf[group.value] = around.repeat;
        }
    }
}

/// The graph with a group around each repeat; groups still come after their parents.
ModelGraph withRepeats(const ModelGraph& graph, const std::vector<graph::detail::Repeat>& repeats) {
    std::vector<std::optional<std::size_t>> repeatOf(graph.groups().size());
    for (std::size_t i = 0; i < repeats.size(); ++i) {
        for (const GraphGroupId group : repeats[i].groups) {
            repeatOf[group.value] = i;
        }
    }
    adoptDelegates(graph, repeatOf);
    ModelGraph out;
    out.name = graph.name;
    std::vector<GraphGroupId> places;
    std::vector<std::optional<GraphGroupId>> around(repeats.size());
    for (std::size_t i = 0; i < graph.groups().size(); ++i) {
        core::GraphGroup group = graph.groups()[i];
        group.parent = group.parent ? std::optional(places[group.parent->value]) : std::nullopt;
        if (const auto repeat = repeatOf[i]) {
            if (!around[*repeat]) {
                around[*repeat] = out.addGroup(core::GraphGroup{
                    .name = repeats[*repeat].name, .parent = group.parent, .kind = repeatKind});
            }
            group.parent = around[*repeat];
        }
        places.push_back(out.addGroup(std::move(group)));
    }
    for (const GraphValue& value : graph.values()) {
        GraphValue copy = value;
        copy.producer.reset();
        copy.consumers.clear();
        out.addValue(std::move(copy));
    }
    for (GraphNode node : graph.nodes()) {
        node.group = node.group ? std::optional(places[node.group->value]) : std::nullopt;
        out.addNode(std::move(node));
    }
    return out;
}

}  // namespace

SimplifiedGraph simplified(const ModelGraph& graph, const SimplifyOptions& options) {
    SimplifiedGraph result{.graph = graph};
    if (options.hidePlumbing) {
        result.graph = withoutPlumbing(graph, result.hidden);
    }
    if (options.foldRepeats) {
        const std::vector<graph::detail::Repeat> repeats = graph::detail::findRepeats(result.graph);
        result.repeats = repeats.size();
        if (!repeats.empty()) {
            result.graph = withRepeats(result.graph, repeats);
        }
    }
    return result;
}

}  // namespace et::inspector
