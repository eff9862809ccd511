#include "inspector/graph/graph_search.h"

#include "inspector/graph/graph_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace et::inspector {

using core::ModelGraph;

std::pair<GraphSearch::Field, std::string_view> GraphSearch::split(std::string_view text) {
    constexpr std::array prefixes{std::pair{std::string_view("name:"), Field::Name},
                                  std::pair{std::string_view("op:"), Field::Operator},
                                  std::pair{std::string_view("attribute:"), Field::Attribute},
                                  std::pair{std::string_view("group:"), Field::Group}};
    for (const auto& [prefix, where] : prefixes) {
        if (text.starts_with(prefix)) {
            text.remove_prefix(prefix.size());
            text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
            return {where, text};
        }
    }
    return {Field::Any, text};
}

core::Result<GraphSearch> GraphSearch::make(std::string_view text) {
    const auto [where, pattern] = split(text);
    ET_ASSIGN(auto filter, format::TextFilter::make(pattern));
    return GraphSearch(where, std::move(filter));
}

bool GraphSearch::matches(const ModelGraph& graph, const core::GraphNode& node) const {
    if ((looksIn(Field::Name) && filter.matches(node.name)) ||
        (looksIn(Field::Operator) && filter.matches(node.kind))) {
        return true;
    }
    const auto matchesAttribute = [&](const core::GraphAttribute& each) {
        return filter.matches(fmt::format("{}={}", each.name, each.text));
    };
    if (looksIn(Field::Attribute) && std::ranges::any_of(node.attributes, matchesAttribute)) {
        return true;
    }
    return looksIn(Field::Group) && node.group && filter.matches(groupName(graph.group(*node.group)));
}

std::vector<bool> GraphSearch::matchesIn(const ModelGraph& graph) const {
    std::vector<bool> found;
    found.reserve(graph.nodes().size());
    for (const core::GraphNode& node : graph.nodes()) {
        found.push_back(matches(graph, node));
    }
    return found;
}

}  // namespace et::inspector
