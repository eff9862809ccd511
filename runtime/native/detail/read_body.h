#pragma once

#include "runtime/native/detail/texts.h"
#include "runtime/native/graph.h"
#include "runtime/native/schema/graph_generated.h"

#include <cstddef>

namespace et::native::detail {

/// Maximum nesting of subgraphs.
inline constexpr std::size_t maxGraphDepth = 8;

/// Reads the graph of a method or a subgraph. `defined`: values that are neither inputs nor results of nodes
/// (constants and mutable buffers). Errors: Format (a value that is not defined before its use or defined
/// twice, an input without metadata), Unsupported, Limit.
[[nodiscard]] core::Result<Graph> readBody(Texts& texts, const schema::Graph* graph,
                                           const core::FieldPath& path, Names defined, std::size_t depth);

}  // namespace et::native::detail
