#include "app/tasks/graph/graph_selection.h"

#include "app/tasks/base/suggestion.h"
#include "inspector/graph/graph_labels.h"
#include "inspector/graph/graph_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::GraphGroup;
using core::GraphGroupId;
using core::GraphNode;
using core::GraphNodeId;
using core::ModelGraph;
using core::Result;

constexpr std::string_view allWord = "all";
/// Maximum number of names that a misspelled one is compared with.
constexpr std::size_t maxSuggested = 2000;

std::unexpected<core::Error> notFound(std::string_view what, std::string_view name,
                                      const std::vector<std::string>& known) {
    return core::fail(ErrorCode::NotFound, fmt::format("the graph has no {} \"{}\"{}", what,
                                                       core::printable(name), didYouMean(name, known)));
}

/// All groups with these names.
Result<std::vector<GraphGroupId>> groupsOf(const ModelGraph& graph, const std::vector<std::string>& names) {
    std::vector<GraphGroupId> ids;
    for (const std::string& name : names) {
        if (name == allWord) {
            continue;
        }
        const std::size_t before = ids.size();
        std::vector<std::string> known;
        for (std::uint32_t i = 0; i < graph.groups().size(); ++i) {
            const GraphGroup& group = graph.groups()[i];
            const std::string_view full = inspector::groupName(group);
            if (group.name == name || full == name) {
                ids.emplace_back(i);
            } else if (known.size() < maxSuggested) {
                known.emplace_back(full);
            }
        }
        if (ids.size() == before) {
            return notFound("group", name, known);
        }
    }
    return ids;
}

Result<std::vector<GraphNodeId>> nodesOf(const ModelGraph& graph, const std::vector<std::string>& names) {
    std::vector<GraphNodeId> ids;
    for (const std::string& name : names) {
        const auto node = std::ranges::find(graph.nodes(), name, &GraphNode::name);
        if (node == graph.nodes().end()) {
            std::vector<std::string> known;
            for (std::size_t i = 0; i < std::min(graph.nodes().size(), maxSuggested); ++i) {
                known.push_back(graph.nodes()[i].name);
            }
            return notFound("node", name, known);
        }
        ids.emplace_back(static_cast<std::uint32_t>(node - graph.nodes().begin()));
    }
    return ids;
}

}  // namespace

Result<Selected> select(const ModelGraph& graph, const GraphSelection& selection) {
    Selected out;
    out.options.expandAll = std::ranges::contains(selection.expand, allWord);
    out.options.budget = std::ranges::contains(selection.collapse, allWord) ? 0 : selection.budget;
    out.options.depth = selection.depth;
    ET_ASSIGN(out.options.expand, groupsOf(graph, selection.expand));
    ET_ASSIGN(out.options.collapse, groupsOf(graph, selection.collapse));
    ET_ASSIGN(out.options.around, nodesOf(graph, selection.around));
    if (!selection.find.empty()) {
        ET_ASSIGN(const auto search, inspector::GraphSearch::make(selection.find));
        out.found = search.matchesIn(graph);
    }
    return out;
}

}  // namespace et::tasks
