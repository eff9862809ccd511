#pragma once

#include "etrecord/exported_graph.h"
#include "runtime/core/scalar_type.h"

#include <cstdint>
#include <vector>

// Helpers for the Edge graphs of all samples.
namespace et::samples {

[[nodiscard]] std::vector<etrecord::SymInt> plainInts(const std::vector<std::int64_t>& numbers);

/// A row-major tensor on the CPU.
[[nodiscard]] etrecord::TensorMeta tensorMeta(core::ScalarType dtype, const std::vector<std::int64_t>& sizes);

/// Sets dialect and versions.
void describeEdge(etrecord::ExportedGraph& graph);

}  // namespace et::samples
