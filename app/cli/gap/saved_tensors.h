#pragma once

#include "inspector/numeric_gap/numeric_gap.h"
#include "runtime/core/result.h"

#include <filesystem>

namespace et::cli {

/// Writes both tensors of every row below `folder`, which is made if it is not there:
/// <row>_<output>_reference.npy and <row>_<output>_runtime.npy, rows counted from 0 with leading zeros.
/// Errors: Io, Unsupported (a dtype that NumPy lacks).
[[nodiscard]] core::Result<> saveTensors(const inspector::NumericGap& gap,
                                         const std::filesystem::path& folder);

}  // namespace et::cli
