#pragma once

#include "etrecord/exported_graph.h"
#include "runtime/builder/method_builder.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace et::backends::lowering {

/// Range of values of an expression; no `max`: unbounded.
struct NumberRange {
    std::int64_t min = 0;
    std::optional<std::int64_t> max;
};

/// Range of an expression of symbolic sizes in export's (sympy's) syntax ("2*s0 + 1", "(s0//2)", "Max(1,
/// s0)"), from the ranges of its symbols. Sizes are not negative. Nothing if the expression contains unknown
/// symbols or functions.
[[nodiscard]] std::optional<NumberRange> rangeOf(
    std::string_view expression, const etrecord::ExportedGraph::ByName<etrecord::RangeConstraint>& symbols);

/// Describes the tensor for a value of a graph: maximum sizes if they are symbolic, and the dim order of its
/// strides. Errors: Unsupported (an unknown dtype), InvalidArgument (a negative size).
[[nodiscard]] core::Result<builder::TensorSpec> specOf(const etrecord::ExportedGraph& graph,
                                                       std::string_view value);

/// Dimensions from outermost to innermost, by descending strides. Row-major if several orders match.
[[nodiscard]] std::vector<std::uint8_t> dimOrderOf(const etrecord::TensorMeta& meta);
[[nodiscard]] bool isRowMajor(const std::vector<std::uint8_t>& dimOrder);

/// Whether a value of the graph is a float32 tensor.
[[nodiscard]] bool isFloat(const etrecord::ExportedGraph& graph, std::string_view value);

}  // namespace et::backends::lowering
