#pragma once

#include "runtime/core/graph.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

// Predecessors and successors of nodes. Sets of nodes have a flag for each node of the graph.
namespace et::inspector {

using NodeSet = std::vector<bool>;

enum class WalkTo : std::uint8_t {
    Inputs,  ///< against the edges: producers
    Outputs  ///< along the edges: consumers
};

inline constexpr std::size_t anyDistance = std::numeric_limits<std::size_t>::max();

/// Nodes at most `steps` values away in one direction, including `from`.
[[nodiscard]] NodeSet reachable(const core::ModelGraph& graph, std::span<const core::GraphNodeId> from,
                                WalkTo direction, std::size_t steps = anyDistance);

/// Nodes on any path from one of `from` to one of `to`, including both ends; in the opposite direction if
/// only that has a path. Empty set: there is none.
[[nodiscard]] NodeSet between(const core::ModelGraph& graph, std::span<const core::GraphNodeId> from,
                              std::span<const core::GraphNodeId> to);

}  // namespace et::inspector
