#pragma once

#include "etrecord/exported_graph.h"

#include <cstddef>
#include <map>
#include <string_view>

namespace et::inspector::join::detail {

/// The operators of a graph and its subgraphs, by name ("addmm"). The views live as long as the graph.
class GraphOperators {
  public:
    GraphOperators() = default;
    explicit GraphOperators(const etrecord::ExportedGraph& graph);

    /// Number of nodes with exactly this operator.
    [[nodiscard]] std::size_t countOf(std::string_view name) const;
    /// True if some node may have been lowered to this kernel; see mayImplement().
    [[nodiscard]] bool mayContain(std::string_view kernel) const;
    /// Number of distinct operators, the cost of one call of mayContain().
    [[nodiscard]] std::size_t size() const { return counts.size(); }

    /// True if some operator quantizes or dequantizes.
    [[nodiscard]] bool quantizes() const { return hasQuantization; }
    /// True if some operator is wrapped by functionalization, which hides its name from the nodes.
    [[nodiscard]] bool hidesOperators() const { return hasWrapped; }

  private:
    void add(const etrecord::ExportedGraph& graph);

    std::map<std::string_view, std::size_t> counts;
    bool hasQuantization = false;
    bool hasWrapped = false;
};

}  // namespace et::inspector::join::detail
