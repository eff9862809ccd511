#pragma once

#include "runtime/core/graph.h"

#include <optional>
#include <vector>

// What of a graph only keeps it running.
namespace et::inspector::detail {

struct Plumbing {
    std::vector<bool> hidden;  ///< by node
    /// By value: what stands for it, where the view that makes it is hidden; mostly the value itself.
    std::vector<core::GraphValueId> standIn;
};

/// Views, scalars, checks, and what is there for these alone. Nodes that make an output of the graph stay.
[[nodiscard]] Plumbing findPlumbing(const core::ModelGraph& graph);

/// Groups for nodes that are in none (by node, nothing: it stays where it is): the innermost module that is
/// around all that they take from and give to; of a node that nothing takes from, that of its first input.
/// Nodes that quantize stand with what makes their input, those that dequantize with what takes their output.
[[nodiscard]] std::vector<std::optional<core::GraphGroupId>> adoptedGroups(const core::ModelGraph& graph,
                                                                           const Plumbing& plumbing);

}  // namespace et::inspector::detail
