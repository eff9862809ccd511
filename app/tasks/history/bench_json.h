#pragma once

#include "inspector/comparison/measurement.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <vector>

namespace et::app {

/// What `et-inspect bench --format json` printed (docs/json.md), a measurement a model: its name is the file
/// of the model, its total the median. Errors: Format (no JSON, no such one; names the field), Unsupported (a
/// later schema), Limit.
[[nodiscard]] core::Result<std::vector<inspector::Measurement>> readBenchJson(core::Bytes bytes);

}  // namespace et::app
