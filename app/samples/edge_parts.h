#pragma once

#include "etrecord/exported_graph.h"
#include "runtime/core/scalar_type.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// What every Edge graph of a sample has.
namespace et::samples {

[[nodiscard]] std::vector<etrecord::SymInt> plainInts(const std::vector<std::int64_t>& numbers);

/// A row-major tensor on the CPU.
[[nodiscard]] etrecord::TensorMeta tensorMeta(core::ScalarType dtype, const std::vector<std::int64_t>& sizes);

/// Dialect and versions.
void describeEdge(etrecord::ExportedGraph& graph);

/// The calling convention of the root module: arguments by position, a tensor each, and a result or several.
[[nodiscard]] std::string rootCall(std::size_t inputs, std::size_t outputs);

}  // namespace et::samples
