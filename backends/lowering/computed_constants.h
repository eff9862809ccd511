#pragma once

#include "backends/lowering/edge_method.h"
#include "backends/reference/interpreter.h"
#include "runtime/core/result.h"
#include "runtime/kernels/registry.h"
#include "runtime/kernels/thread_pool.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace et::backends::lowering {

/// Values that nodes compute from parameters, buffers and constants alone, such as normalized weights and
/// converted numbers: they are equal in every run.
class ComputedConstants {
  public:
    /// Both must outlive it.
    ComputedConstants(EdgeMethod& of, const kernels::KernelRegistry& registry);

    /// Whether a known, deterministic operator computes all results of a node from constants.
    [[nodiscard]] bool isComputable(NodeIndex node) const { return largestSource[node].has_value(); }
    /// Whether it is computable, and storing its first result needs no more elements than the constants that
    /// it is computed from.
    [[nodiscard]] bool isSmall(NodeIndex node) const;

    /// The row-major results of a computable node by name. Errors: those of EdgeMethod::tensor() and
    /// Interpreter::evaluate(); Mismatch (a result differs from the graph's metadata).
    [[nodiscard]] core::Result<reference::Interpreter::Values> compute(NodeIndex node);

  private:
    [[nodiscard]] std::optional<std::int64_t> sourceOf(const etrecord::Node& node) const;
    [[nodiscard]] std::vector<NodeIndex> nodesFor(NodeIndex node) const;

    EdgeMethod& method;
    const kernels::KernelRegistry& kernels;
    kernels::ThreadPool threads{1};
    std::vector<std::optional<std::int64_t>> largestSource;  ///< by node: elements of the largest constant
};

}  // namespace et::backends::lowering
