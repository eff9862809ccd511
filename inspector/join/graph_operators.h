#pragma once

#include "etrecord/exported_graph.h"

#include <cstddef>
#include <map>
#include <string_view>

namespace et::inspector::detail {

/// The operators of a graph and of the subgraphs in it, by name ("addmm"). The views live as long as the
/// graph.
class GraphOperators {
  public:
    GraphOperators() = default;
    explicit GraphOperators(const etrecord::ExportedGraph& graph);

    /// How many nodes are of exactly this operator.
    [[nodiscard]] std::size_t countOf(std::string_view name) const;
    /// True when some node may have become this kernel; see mayImplement().
    [[nodiscard]] bool mayContain(std::string_view kernel) const;
    /// Distinct operators: what a call of mayContain() costs.
    [[nodiscard]] std::size_t size() const { return counts.size(); }

    /// Some operator quantizes or dequantizes.
    [[nodiscard]] bool quantizes() const { return hasQuantization; }
    /// Some operator is wrapped by functionalization, so that its name is not among the nodes.
    [[nodiscard]] bool hidesOperators() const { return hasWrapped; }

  private:
    void add(const etrecord::ExportedGraph& graph);

    std::map<std::string_view, std::size_t> counts;
    bool hasQuantization = false;
    bool hasWrapped = false;
};

}  // namespace et::inspector::detail
