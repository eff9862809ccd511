#pragma once

#include "etrecord/exported_graph.h"
#include "inspector/numeric_gap/graph_walk.h"
#include "runtime/core/strong_id.h"

#include <cstdint>
#include <set>
#include <span>
#include <string_view>
#include <vector>

// Extraction of the part of an exported graph that corresponds to a part of a program.
namespace et::inspector {

using HandleSet = std::set<core::DebugHandle>;

/// Nodes and their boundary values. Names are borrowed from the graph.
struct GraphPart {
    std::vector<etrecord::NodeIndex> nodes;  ///< in graph order
    std::vector<std::string_view> inputs;    ///< values read from other nodes, in the order of the reads
    std::vector<std::string_view> outputs;   ///< values that other nodes read, or graph outputs
};

/// Criteria that select the nodes.
struct GraphPartChoice {
    HandleSet own;     ///< include nodes with one of these handles
    HandleSet others;  ///< exclude nodes with one of these handles, unless they also have one of `own`
    /// Values that are available beforehand: the nodes that compute them are excluded, but nodes that only
    /// quantize or dequantize them for the part are included.
    std::vector<std::string_view> given{};
};

/// Selects the chosen nodes and the nodes that compute for them and have no handle of another part
/// (constants, sizes, elements of lists).
[[nodiscard]] GraphPart findGraphPart(const GraphWalk& walk, const GraphPartChoice& choice);

/// Builds a separate graph of the part, with the parameters it reads. Its user inputs and outputs are those
/// of `part`, in the same order.
[[nodiscard]] etrecord::ExportedGraph graphOf(const GraphWalk& walk, const GraphPart& part);

/// Changes a user input or output of a graph to its memory order inside a delegate: dimension i of `value`
/// becomes dimension order[i] of the graph's input or output. Other values are unchanged.
void turnBorder(etrecord::ExportedGraph& graph, std::string_view value, std::span<const std::uint8_t> order);

/// The order that turnBorder() applied to the user input or output `value`; empty: none.
[[nodiscard]] std::vector<std::uint8_t> turnedOrder(const etrecord::ExportedGraph& graph,
                                                    std::string_view value);

}  // namespace et::inspector
