#pragma once

#include "runtime/core/graph.h"

#include <optional>
#include <vector>

// Nodes of a graph that do not compute tensors.
namespace et::inspector::graph::detail {

struct NonComputingNodes {
    std::vector<bool> hidden;  ///< by node
    /// By value: its replacement if the view that produces it is hidden; usually the value itself.
    std::vector<core::GraphValueId> standIn;
};

/// Finds views, scalar work, checks, and nodes that only serve these. Nodes that produce an output of the
/// graph are kept.
[[nodiscard]] NonComputingNodes findNonComputing(const core::ModelGraph& graph);

/// Groups for nodes without one (by node; empty: unchanged): the innermost module around all their producers
/// and consumers; for a node without consumers, that of its first input. Quantize nodes go with the producer
/// of their input, dequantize nodes with the consumers of their output.
[[nodiscard]] std::vector<std::optional<core::GraphGroupId>> adoptedGroups(const core::ModelGraph& graph,
                                                                           const NonComputingNodes& plumbing);

}  // namespace et::inspector::graph::detail
