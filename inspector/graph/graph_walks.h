#pragma once

#include "runtime/core/graph.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

// What a node follows from and what follows from it. Sets of nodes are a flag for each node of the graph.
namespace et::inspector {

using NodeSet = std::vector<bool>;

enum class WalkTo : std::uint8_t {
    Inputs,  ///< against the arrows: what a node takes
    Outputs  ///< along them: who takes what it gives
};

inline constexpr std::size_t anyDistance = std::numeric_limits<std::size_t>::max();

/// Nodes at most `steps` values away in one direction, `from` among them.
[[nodiscard]] NodeSet reachable(const core::ModelGraph& graph, std::span<const core::GraphNodeId> from,
                                WalkTo direction, std::size_t steps = anyDistance);

/// Nodes on any way from one of `from` to one of `to`, both ends included; in the other direction where only
/// that has a way. Empty set: there is none.
[[nodiscard]] NodeSet between(const core::ModelGraph& graph, std::span<const core::GraphNodeId> from,
                              std::span<const core::GraphNodeId> to);

}  // namespace et::inspector
