#pragma once

#include "etrecord/exported_graph.h"
#include "runtime/builder/method_builder.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace et::backends::lowering {

/// Describes the tensor for a value of a graph: maximum sizes if they are symbolic, and the dim order of its
/// strides. Errors: Unsupported (an unknown dtype), InvalidArgument (a negative size).
[[nodiscard]] core::Result<builder::TensorSpec> specOf(const etrecord::ExportedGraph& graph,
                                                       std::string_view value);

/// Dimensions from outermost to innermost, by descending strides. Row-major if several orders match.
[[nodiscard]] std::vector<std::uint8_t> dimOrderOf(const etrecord::TensorMeta& meta);
[[nodiscard]] bool isRowMajor(const std::vector<std::uint8_t>& dimOrder);

}  // namespace et::backends::lowering
