#pragma once

#include "etdump/trace.h"
#include "inspector/format/table.h"
#include "runtime/core/mapped_file.h"

#include <cstdint>

namespace et::inspector::report {

/// Of the elements of a dense tensor: {"count", "nonfinite", "min", "max", "mean", "first"} as below;
/// {"error"} where no numbers of this dtype are read.
[[nodiscard]] Dict elementStatistics(std::int8_t scalarType, core::Bytes bytes);

/// A logged value for people and scripts. A tensor: {"dtype", "shape"}, and with the debug buffer {"count",
/// "nonfinite", "min", "max", "mean", "first"} over its finite elements (numbers as stored: a quantized
/// tensor in its integers; "first": up to eight elements in storage order); {"error"} where the buffer does
/// not hold it. A list of tensors: a list of those. Others: the value. `buffer` may be null.
[[nodiscard]] Cell debugValueSummary(const etdump::DebugValue& value, const core::MappedFile* buffer);

}  // namespace et::inspector::report
