#pragma once

#include "backends/lowering/edge_method.h"
#include "backends/lowering/method_emission.h"
#include "backends/lowering/weight_store.h"
#include "runtime/core/result.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace et::backends::lowering {

/// A backend's decision on one node of a graph.
struct NodeDecision {
    std::optional<std::size_t> part{};  ///< index of the part that computes it
    std::string rule{};                 ///< why no part computes it; empty: one does
};

struct PartitionedMethod {
    std::vector<DelegatedPart> parts;
    std::vector<NodeDecision> decisions;  ///< by NodeIndex
};

/// Selects the nodes that a backend may delegate.
using NodeFilter = std::function<bool(NodeIndex)>;

/// Partitions a graph into the parts that a backend computes. Stores constants of the payloads in the store.
/// Errors: those of EdgeMethod::tensor().
using Partitioner = std::function<core::Result<PartitionedMethod>(
    EdgeMethod& method, const NodeFilter& mayTake, WeightStore& weights)>;

}  // namespace et::backends::lowering
