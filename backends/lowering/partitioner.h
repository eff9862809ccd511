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

/// What a backend does with one node of a graph.
struct NodeDecision {
    std::optional<std::size_t> part{};  ///< the part that computes it
    std::string rule{};                 ///< why no part does; empty: one does
};

struct PartitionedMethod {
    std::vector<DelegatedPart> parts;
    std::vector<NodeDecision> decisions;  ///< by NodeIndex
};

/// Which nodes a backend may take.
using NodeFilter = std::function<bool(NodeIndex)>;

/// Takes what a backend computes out of a graph. Constants of the payloads go to the store. Errors: as
/// EdgeMethod::tensor().
using Partitioner = std::function<core::Result<PartitionedMethod>(
    EdgeMethod& method, const NodeFilter& mayTake, WeightStore& weights)>;

}  // namespace et::backends::lowering
