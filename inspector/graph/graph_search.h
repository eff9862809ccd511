#pragma once

#include "inspector/format/text_filter.h"
#include "runtime/core/graph.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace et::inspector {

/// Finds nodes by a regular expression (TextFilter) in their name, operator, attributes ("stride=[2, 2]") and
/// the full name of their group. The prefixes "name:", "op:", "attribute:" and "group:" restrict the search.
class GraphSearch {
  public:
    /// Errors: as TextFilter::make().
    [[nodiscard]] static core::Result<GraphSearch> make(std::string_view text);

    [[nodiscard]] bool matches(const core::ModelGraph& graph, const core::GraphNode& node) const;
    /// By node.
    [[nodiscard]] std::vector<bool> matchesIn(const core::ModelGraph& graph) const;

  private:
    enum class Field : std::uint8_t { Any, Name, Operator, Attribute, Group };
    GraphSearch(Field where, format::TextFilter what) : field(where), filter(std::move(what)) {}
    static std::pair<Field, std::string_view> split(std::string_view text);
    [[nodiscard]] bool looksIn(Field where) const { return field == Field::Any || field == where; }

    Field field;
    format::TextFilter filter;
};

}  // namespace et::inspector
