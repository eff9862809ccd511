#pragma once

#include "etrecord/exported_graph.h"
#include "runtime/core/scalar_type.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// Helpers for the Edge graphs of all samples.
namespace et::samples {

[[nodiscard]] std::vector<etrecord::SymInt> plainInts(const std::vector<std::int64_t>& numbers);

/// A row-major tensor on the CPU.
[[nodiscard]] etrecord::TensorMeta tensorMeta(core::ScalarType dtype, const std::vector<std::int64_t>& sizes);

/// Sets dialect and versions.
void describeEdge(etrecord::ExportedGraph& graph);

/// The calling convention of the root module: positional arguments, one tensor each, and one or several
/// results.
[[nodiscard]] std::string rootCall(std::size_t inputs, std::size_t outputs);

}  // namespace et::samples
