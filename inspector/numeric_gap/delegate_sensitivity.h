#pragma once

#include "backends/reference/interpreter.h"
#include "inspector/numeric_gap/graph_walk.h"
#include "inspector/numeric_gap/reference_values.h"
#include "runtime/core/result.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

// Ranks the nodes of a delegate that can only be compared as a whole.
namespace et::inspector {

/// Nodes that a delegate call computes, and the values that it returns.
struct DelegateNodes {
    std::vector<etrecord::NodeIndex> nodes;  ///< in graph order
    std::vector<std::string> outputs;
};

struct NodeSensitivity {
    etrecord::NodeIndex node{};
    /// Relative change of the outputs divided by the relative change of the node's result that causes it.
    double factor = 0;
};

struct SensitivityLimits {
    std::chrono::milliseconds time{20'000};
    /// Called after each node with the numbers of finished nodes and of all; may be empty.
    std::function<void(std::size_t done, std::size_t total)> progress{};
};

struct SensitivityRanking {
    std::vector<NodeSensitivity> nodes;  ///< most sensitive first
    std::size_t candidates = 0;          ///< nodes with real results, including those that time did not allow
};

/// Disturbs the result of each node by 1 % and computes the outputs again with the graph. If time is short,
/// the measured nodes are spread over the delegate. `values`: of the graph's run. Errors: Cancelled.
[[nodiscard]] core::Result<SensitivityRanking> rankNodes(backends::reference::Interpreter& interpreter,
                                                         const GraphWalk& graph, const GraphValues& values,
                                                         const DelegateNodes& delegate,
                                                         const SensitivityLimits& limits);

}  // namespace et::inspector
