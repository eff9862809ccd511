#pragma once

#include "backends/lowering/edge_method.h"
#include "etrecord/exported_graph.h"
#include "inspector/numeric_gap/graph_walk.h"
#include "inspector/numeric_gap/reference_values.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace et::tasks {

/// A part of an Edge graph that runs alone, with static sizes, and its values.
struct ProbeGraph {
    etrecord::ExportedGraph graph;
    inspector::GraphValues given;     ///< row-major inputs, parameters, buffers and constants
    inspector::GraphValues computed;  ///< results of all nodes
};

/// Cuts out nodes, in ascending order, with the nodes that compute their constants and those that quantize or
/// dequantize for them. `values`: all values of the graph in one run. Errors: Unsupported (control flow, an
/// input that is not a tensor, results that are not determined), those of EdgeMethod::tensor() and
/// computeProbe().
[[nodiscard]] core::Result<ProbeGraph> makeProbeGraph(const inspector::GraphWalk& walk,
                                                      std::span<const etrecord::NodeIndex> nodes,
                                                      const inspector::GraphValues& values,
                                                      backends::lowering::EdgeMethod& method);

/// Computes the results from the given values and updates the sizes in the graph. Errors: those of
/// Interpreter::evaluate().
[[nodiscard]] core::Result<> computeProbe(ProbeGraph& probe);

/// Names of the inputs that a run gets, in order.
[[nodiscard]] std::vector<std::string> inputNames(const ProbeGraph& probe);
[[nodiscard]] std::vector<std::string> outputNames(const ProbeGraph& probe);

/// Total elements of all values.
[[nodiscard]] std::int64_t elementsOf(const ProbeGraph& probe);

}  // namespace et::tasks
