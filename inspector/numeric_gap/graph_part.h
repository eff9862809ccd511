#pragma once

#include "etrecord/exported_graph.h"
#include "inspector/numeric_gap/graph_walk.h"
#include "runtime/core/strong_id.h"

#include <cstdint>
#include <set>
#include <span>
#include <string_view>
#include <vector>

// The part of an exported graph that a part of a program is of.
namespace et::inspector {

using HandleSet = std::set<core::DebugHandle>;

/// Nodes and the values at their border. Names are borrowed from the graph.
struct GraphPart {
    std::vector<etrecord::NodeIndex> nodes;  ///< in graph order
    std::vector<std::string_view> inputs;    ///< what they read of others, in the order in which they read it
    std::vector<std::string_view> outputs;   ///< what others read of them, or the graph puts out
};

/// Which nodes are of it.
struct GraphPartChoice {
    HandleSet own;     ///< nodes with one of these are
    HandleSet others;  ///< those with one of these are not, unless they have one of `own` as well
    /// Values that are there before: nothing that makes them is of it, while all that only quantizes or
    /// dequantizes them for it is.
    std::vector<std::string_view> given{};
};

/// All that has no handle of another part and computes for the chosen nodes comes along (constants, sizes,
/// elements of lists).
[[nodiscard]] GraphPart findGraphPart(const GraphWalk& walk, const GraphPartChoice& choice);

/// The part as a graph of its own, with the parameters that it reads. Its user inputs and outputs are those
/// of `part`, in their order.
[[nodiscard]] etrecord::ExportedGraph graphOf(const GraphWalk& walk, const GraphPart& part);

/// Lets a user input or output of a graph lie as it does inside of a delegate: dimension i of `value` is
/// dimension order[i] of what the graph takes or gives from then on. A value that is neither stays.
void turnBorder(etrecord::ExportedGraph& graph, std::string_view value, std::span<const std::uint8_t> order);

/// The order that turnBorder() gave what is now the user input or output `value`; empty: none.
[[nodiscard]] std::vector<std::uint8_t> turnedOrder(const etrecord::ExportedGraph& graph,
                                                    std::string_view value);

}  // namespace et::inspector
