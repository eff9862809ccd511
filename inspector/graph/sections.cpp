#include "inspector/graph/graph_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace et::inspector {

using core::GraphGroupId;
using core::GraphNodeId;
using core::ModelGraph;

namespace {

/// A node or a group among its siblings.
struct Child {
    std::optional<GraphNodeId> node{};
    std::optional<GraphGroupId> group{};
    std::uint32_t firstNode = 0;  ///< first node in it, in graph order
    std::uint32_t lastNode = 0;
};

using Children = std::map<std::optional<GraphGroupId>, std::vector<Child>>;

/// Direct children of each group, and of none, in node order. Empty groups are omitted.
Children childrenOf(const ModelGraph& graph) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> spans(graph.groups().size(), {~0U, 0});
    Children children;
    for (std::uint32_t i = 0; i < graph.nodes().size(); ++i) {
        const auto& group = graph.nodes()[i].group;
        children[group].push_back({.node = GraphNodeId(i), .group = {}, .firstNode = i, .lastNode = i});
        if (group) {
            spans[group->value].first = std::min(spans[group->value].first, i);
            spans[group->value].second = std::max(spans[group->value].second, i);
        }
    }
    // Groups come after their parents, so iterating backwards completes each group's content first.
    for (std::size_t i = spans.size(); i-- > 0;) {
        const GraphGroupId id(static_cast<std::uint32_t>(i));
        const auto [first, last] = spans[i];
        if (first > last) {
            continue;
        }
        const auto& parent = graph.group(id).parent;
        children[parent].push_back({.node = {}, .group = id, .firstNode = first, .lastNode = last});
        if (parent) {
            spans[parent->value].first = std::min(spans[parent->value].first, first);
            spans[parent->value].second = std::max(spans[parent->value].second, last);
        }
    }
    for (auto& [parent, list] : children) {
        std::ranges::stable_sort(list, {}, &Child::firstNode);
    }
    return children;
}

/// Groups children into the fewest sections of at most `limit` each; recursively, if there are too many.
void foldChildren(ModelGraph& graph, std::optional<GraphGroupId> parent, std::vector<Child> children,
                  std::size_t limit) {
    while (children.size() > limit) {
        std::vector<Child> sections;
        for (std::size_t first = 0; first < children.size(); first += limit) {
            const std::size_t end = std::min(first + limit, children.size());
            Child section{.firstNode = children[first].firstNode};
            for (std::size_t i = first; i < end; ++i) {
                section.lastNode = std::max(section.lastNode, children[i].lastNode);
            }
            section.group = graph.addGroup(
                core::GraphGroup{.name = fmt::format("nodes {} to {}", section.firstNode, section.lastNode),
                                 .parent = parent,
                                 .kind = "section"});
            for (std::size_t i = first; i < end; ++i) {
                if (children[i].node) {
                    graph.setGroup(*children[i].node, *section.group);
                } else {
                    graph.setParent(*children[i].group, *section.group);
                }
            }
            sections.push_back(section);
        }
        children = std::move(sections);
    }
}

}  // namespace

void foldLongRuns(ModelGraph& graph, std::size_t limit) {
    Children all = childrenOf(graph);
    for (auto& [parent, children] : all) {
        if (children.size() > limit && limit > 1) {
            foldChildren(graph, parent, std::move(children), limit);
        }
    }
}

}  // namespace et::inspector
