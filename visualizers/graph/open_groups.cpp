#include "visualizers/graph/open_groups.h"

#include <algorithm>
#include <utility>

namespace et::visualizers {

using core::GraphGroupId;

OpenGroups::OpenGroups(std::shared_ptr<const core::ModelGraph> of, const inspector::Diagram& first)
    : graph(std::move(of)), open(graph->groups().size()) {
    for (const GraphGroupId group : first.open) {
        open[group.value] = true;
    }
}

inspector::DiagramOptions OpenGroups::options() const {
    inspector::DiagramOptions options{.budget = 0};
    for (std::uint32_t i = 0; i < open.size(); ++i) {
        if (open[i]) {
            options.expand.emplace_back(i);
        }
    }
    return options;
}

bool OpenGroups::openAround(std::optional<GraphGroupId> group) {
    bool changed = false;
    for (; group; group = graph->group(*group).parent) {
        changed |= !open[group->value];
        open[group->value] = true;
    }
    return changed;
}

std::optional<GraphGroupId> OpenGroups::onlyGroupIn(GraphGroupId group) const {
    if (std::ranges::contains(graph->nodes(), std::optional(group), &core::GraphNode::group)) {
        return std::nullopt;
    }
    std::optional<GraphGroupId> only;
    for (std::uint32_t i = 0; i < graph->groups().size(); ++i) {
        if (graph->groups()[i].parent == group) {
            if (only) {
                return std::nullopt;
            }
            only = GraphGroupId(i);
        }
    }
    return only;
}

void OpenGroups::openGroup(GraphGroupId group) {
    openAround(group);
    for (auto inner = onlyGroupIn(group); inner; inner = onlyGroupIn(*inner)) {
        open[inner->value] = true;
    }
}

void OpenGroups::fold(GraphGroupId group) {
    for (std::uint32_t i = 0; i < open.size(); ++i) {
        for (std::optional<GraphGroupId> each = GraphGroupId(i); open[i] && each;
             each = graph->group(*each).parent) {
            open[i] = *each != group;
        }
    }
}

void OpenGroups::openAll() {
    open.assign(open.size(), true);
}

void OpenGroups::foldAll() {
    open.assign(open.size(), false);
}

bool OpenGroups::openTo(core::GraphNodeId node) {
    return openAround(graph->node(node).group);
}

}  // namespace et::visualizers
