#include "visualizers/graph/graph_view_state.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_set>

namespace et::visualizers {

using core::GraphGroupId;
using core::GraphNodeId;
using core::ModelGraph;

namespace {

constexpr char between = '\n';  // separates the names of a path, which are single lines

}  // namespace

NodeNames::NodeNames(const ModelGraph& of) : graph(&of), order(of.nodes().size()) {
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {},
                             [this](std::size_t i) -> std::string_view { return graph->nodes()[i].name; });
}

GraphViewState::Part NodeNames::nameOf(GraphNodeId node) const {
    const auto name = [this](std::size_t i) -> std::string_view { return graph->nodes()[i].name; };
    const std::string& own = graph->node(node).name;
    const auto same = std::ranges::equal_range(order, std::string_view(own), {}, name);
    const auto place = std::ranges::lower_bound(same, std::size_t{node.value});
    return {.name = own, .nth = static_cast<std::size_t>(place - same.begin()), .group = false};
}

std::optional<GraphNodeId> NodeNames::find(const GraphViewState::Part& node) const {
    const auto name = [this](std::size_t i) -> std::string_view { return graph->nodes()[i].name; };
    const auto same = std::ranges::equal_range(order, std::string_view(node.name), {}, name);
    if (node.nth >= same.size()) {
        return std::nullopt;
    }
    return GraphNodeId(static_cast<std::uint32_t>(same[static_cast<std::ptrdiff_t>(node.nth)]));
}

std::string pathOf(const ModelGraph& graph, GraphGroupId group) {
    std::string path;
    for (std::optional<GraphGroupId> each = group; each; each = graph.group(*each).parent) {
        path = graph.group(*each).name + between + path;
    }
    return path;
}

std::optional<GraphGroupId> findGroup(const ModelGraph& graph, const std::string& path) {
    for (std::uint32_t i = 0; i < graph.groups().size(); ++i) {
        if (pathOf(graph, GraphGroupId(i)) == path) {
            return GraphGroupId(i);
        }
    }
    return std::nullopt;
}

inspector::DiagramOptions reopenGroups(const ModelGraph& graph, const std::vector<std::string>& open) {
    const std::unordered_set<std::string> wanted(open.begin(), open.end());
    inspector::DiagramOptions options{.budget = 0};
    for (std::uint32_t i = 0; i < graph.groups().size(); ++i) {
        if (wanted.contains(pathOf(graph, GraphGroupId(i)))) {
            options.expand.emplace_back(i);
        }
    }
    return options.expand.empty() && !open.empty() ? inspector::DiagramOptions{} : options;
}

}  // namespace et::visualizers
