#pragma once

#include "inspector/numeric_gap/graph_walk.h"
#include "runtime/core/strong_id.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Maps each operator inside a delegate to the value of the Edge graph that it computes.
namespace et::inspector {

/// Properties of a delegated operator that determine its position in the graph.
struct DelegateNode {
    std::optional<core::DebugHandle> handle;  ///< nothing: added by lowering
    std::string kind{};                       ///< "StaticTranspose"; empty: unknown
    bool isQuantized = false;                 ///< its result consists of quantized integers
    bool isConversion = false;                ///< it only changes the number representation
    std::int64_t elements = 0;                ///< number of elements of the result
    std::vector<std::int64_t> sizes{};        ///< of the result, in the graph's order; empty: unknown
};

/// Distance between the result of an operator (by position) and the reference's value of that name, as
/// computeDistance(); 0 for all if no values are known.
using ValueDistance = std::function<double(std::size_t node, std::string_view value)>;

/// Debug handles of one delegate call.
struct DelegateRegion {
    std::set<core::DebugHandle> handles;  ///< all handles that the record lists for it
    std::set<core::DebugHandle> shared;   ///< those that other instructions also have
};

/// A graph value and the nodes that the delegate computes together to produce it.
struct MappedValue {
    std::string value;                       ///< for a quantized result: its integers
    std::vector<std::string> dequantized{};  ///< the corresponding real values, if `value` is quantized
    std::optional<QuantizationParameters> quantization{};  ///< its parameters in the graph
    std::vector<etrecord::NodeIndex> nodes{};  ///< from the node with the handle to those that produce
                                               ///< `dequantized`
};

/// The value computed by the last of these consecutive nodes. For a quantizing node, includes the dequantized
/// values of its result.
[[nodiscard]] MappedValue placeAt(const GraphWalk& graph, std::vector<etrecord::NodeIndex> way);

/// Returns one entry per operator; nothing if no node was found, or if several are equally likely. `nodes`
/// are in execution order.
///
/// An operator computes a node with its handle whose role, operator and number of elements allow it. If there
/// are several, one with the same sizes and a close reference value is preferred, and of these the one at the
/// same position counted from the end: lowering splits and merges nodes but keeps the last result. Operators
/// without a close value are assigned only if the order of the remaining nodes leaves one possibility. If
/// other instructions share the handle, nodes already `taken` are excluded, and the closest value decides.
/// From its node, a value is followed through nodes without an operator in the delegate (a fused activation,
/// a folded batch norm) and, if it is quantized, to the node that quantizes it.
[[nodiscard]] std::vector<std::optional<MappedValue>> mapDelegateNodes(const GraphWalk& graph,
                                                                       std::span<const DelegateNode> nodes,
                                                                       const DelegateRegion& region,
                                                                       const ValueDistance& distance,
                                                                       std::set<etrecord::NodeIndex>& taken);

}  // namespace et::inspector
