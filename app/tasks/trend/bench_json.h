#pragma once

#include "inspector/comparison/measurement.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <vector>

namespace et::tasks {

/// "schema" of `et-inspect bench --format json`.
inline constexpr std::int64_t benchSchema = 1;

/// Reads the output of `et-inspect bench --format json` (docs/reference/json.md), one measurement per model:
/// its name is the model's file, its total the median. Errors: Format (invalid JSON or content; names the
/// field), Unsupported (a later schema), Limit.
[[nodiscard]] core::Result<std::vector<inspector::Measurement>> readBenchJson(core::Bytes bytes);

}  // namespace et::tasks
