#pragma once

#include "inspector/numeric_gap/graph_walk.h"
#include "runtime/core/graph.h"

#include <map>
#include <optional>
#include <vector>

// Finds the operators of a delegate that compute a node of the Edge graph by the parameters they read.
namespace et::inspector {

/// The node of the Edge graph that an operator of a delegate works for.
struct ParameterOwner {
    etrecord::NodeIndex node{};
    bool readsParameters = false;  ///< false: only rearranges the result of an operator that does
};

/// By operator of the delegate's description; nothing for operators without parameters, and for parameters
/// that several nodes read. Parameters are recognized by the names of their data, which start with their
/// names in PyTorch, and may have a prefix that ends with '/'.
[[nodiscard]] std::vector<std::optional<ParameterOwner>> findParameterOwners(const core::ModelGraph& delegate,
                                                                             const GraphWalk& graph);

}  // namespace et::inspector
