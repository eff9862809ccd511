#include "inspector/graph/simplify.h"

#include "inspector/graph/detail/plumbing.h"
#include "inspector/graph/detail/repeats.h"

#include <cstdint>
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

/// The graph without its hidden nodes. Values keep their ids; those that nothing uses any more are no inputs.
ModelGraph withoutPlumbing(const ModelGraph& graph, std::size_t& hidden) {
    const detail::Plumbing plumbing = detail::findPlumbing(graph);
    const auto adopted = detail::adoptedGroups(graph, plumbing);
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

/// The graph with a group around each repeat, again with groups behind their parents.
ModelGraph withRepeats(const ModelGraph& graph, const std::vector<detail::Repeat>& repeats) {
    std::vector<std::optional<std::size_t>> repeatOf(graph.groups().size());
    for (std::size_t i = 0; i < repeats.size(); ++i) {
        for (const GraphGroupId group : repeats[i].groups) {
            repeatOf[group.value] = i;
        }
    }
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
        const std::vector<detail::Repeat> repeats = detail::findRepeats(result.graph);
        result.repeats = repeats.size();
        if (!repeats.empty()) {
            result.graph = withRepeats(result.graph, repeats);
        }
    }
    return result;
}

}  // namespace et::inspector
