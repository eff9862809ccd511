#pragma once

#include "etrecord/exported_graph.h"
#include "etrecord/record.h"
#include "inspector/join/evidence.h"
#include "runtime/executor/backend.h"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

    /// The graph, and its subgraphs (branches, loops).
    [[nodiscard]] std::span<const etrecord::ExportedGraph* const> graphs() const { return all; }

    /// True if some operator quantizes or dequantizes.
    [[nodiscard]] bool quantizes() const { return hasQuantization; }
    /// True if some operator is wrapped by functionalization, which hides its name from the nodes.
    [[nodiscard]] bool hidesOperators() const { return hasWrapped; }

  private:
    void add(const etrecord::ExportedGraph& graph);

    std::map<std::string_view, std::size_t> counts;
    std::vector<const etrecord::ExportedGraph*> all;
    bool hasQuantization = false;
    bool hasWrapped = false;
};

/// The record's data about one method. Null members: not in the record.
struct MethodView {
    std::string_view name;
    const etrecord::MethodMaps* maps = nullptr;
    const etrecord::ExportedGraph* graph = nullptr;
};

/// A method that a block may have run.
struct Candidate {
    MethodView method;
    GraphOperators operators;  ///< of the method's graph
};

/// How well a method explains a run. Ranked by fewest contradictions, then fewest kernels at instructions
/// that it does not map, then most calls whose operator it names.
struct MethodFit {
    std::size_t contradictions = 0;
    std::size_t unmapped = 0;
    std::size_t matched = 0;
    std::string first;  ///< the first contradiction, for messages; empty: none

    [[nodiscard]] bool betterThan(const MethodFit& other) const;
    [[nodiscard]] bool asGoodAs(const MethodFit& other) const;
};

/// `backends` interpret the names of delegated events. `budget` bounds the total work over all calls, against
/// malicious files; once it is used up, every method fits.
[[nodiscard]] MethodFit fitOf(const Evidence& evidence, const Candidate& candidate, bool recordHasDelegateMap,
                              std::span<const executor::Backend* const> backends, std::size_t& budget);

}  // namespace et::inspector::join::detail
