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

// Which value of the Edge graph each operator inside of a delegate makes.
namespace et::inspector {

/// An operator of a delegate, as far as its place in the graph shows from it.
struct DelegateNode {
    std::optional<core::DebugHandle> handle;  ///< nothing: lowering added it
    bool isQuantized = false;                 ///< its result are integers that stand for real ones
    bool isConversion = false;                ///< it only changes the representation of numbers
    std::int64_t elements = 0;                ///< of its result
};

/// How far the result of an operator (by its position) is from the reference's value of that name.
using ValueDistance = std::function<double(std::size_t node, std::string_view value)>;

/// What belongs to one delegate call.
struct DelegateRegion {
    std::set<core::DebugHandle> handles;  ///< all that the record lists for it
    std::set<core::DebugHandle> shared;   ///< those of them that other instructions have, too
};

/// A value of the graph with what the delegate computes of it in one go.
struct GraphPlace {
    std::string value;                       ///< of a quantized result: its integers
    std::vector<std::string> dequantized{};  ///< the same as real numbers, where `value` is whole ones
    std::optional<QuantizationParameters> quantization{};  ///< that the graph has for it
    std::vector<etrecord::NodeIndex> nodes{};  ///< from the one with the handle on, to those of `dequantized`
};

/// The place of what the last of these nodes makes, which compute it one after the other. Of a quantizing
/// node, with what its result is dequantized to.
[[nodiscard]] GraphPlace placeAt(const GraphWalk& graph, std::vector<etrecord::NodeIndex> way);

/// One place an operator; nothing where none is found. `nodes` in the order in which they run.
///
/// Nodes that share a handle are paired in order, computing ones with computing ones, from the last one back:
/// lowering splits nodes, and merges several, but keeps the last result. Where other instructions have the
/// handle as well, an operator goes with the node whose reference value is nearest, which `distance` tells
/// and `taken` (nodes that are somebody's) keeps apart. From its node a value goes on
/// through the nodes that the delegate has no operator for (a fused activation, a folded batch norm), and, if
/// it is quantized, to the node that quantizes it.
[[nodiscard]] std::vector<std::optional<GraphPlace>> mapDelegateNodes(const GraphWalk& graph,
                                                                      std::span<const DelegateNode> nodes,
                                                                      const DelegateRegion& region,
                                                                      const ValueDistance& distance,
                                                                      std::set<etrecord::NodeIndex>& taken);

}  // namespace et::inspector
