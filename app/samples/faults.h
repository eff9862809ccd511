#pragma once

#include "app/samples/sample_set.h"
#include "runtime/core/result.h"

#include <vector>

namespace et::samples {

/// The sample set of programs with a fault.
inline constexpr SampleInfo faultsInfo{
    .name = "faults", .description = "three programs with a fault to debug, and their ETRecords"};

/// nan_mask: attention whose mask gives NaN. shared_memory: add_mul with two values that are needed together
/// planned at the same address. stale_cache: llama whose second layer writes the keys to a copy of its cache.
/// Each has a program and its ETRecord. Deterministic.
[[nodiscard]] core::Result<std::vector<SampleFile>> makeFaults();

}  // namespace et::samples
