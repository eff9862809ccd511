#pragma once

#include "etdump/trace.h"
#include "inspector/format/table.h"
#include "runtime/core/mapped_file.h"

#include <cstdint>

namespace et::inspector::events {

/// Statistics of a dense tensor's elements: {"count", "nonfinite", "min", "max", "mean", "first"} as below;
/// {"error"} if the dtype cannot be read as numbers.
[[nodiscard]] format::Dict elementStatistics(std::int8_t scalarType, core::Bytes bytes);

/// Summary of a logged value, for display and scripts. A tensor: {"dtype", "shape"}, and with the debug
/// buffer {"count", "nonfinite", "min", "max", "mean", "first"} over its finite elements (numbers as stored:
/// a quantized tensor as integers; "first": up to eight elements in storage order); {"error"} if the buffer
/// does not contain it. A list of tensors: a list of those. Others: the value. `buffer` may be null.
[[nodiscard]] format::Cell debugValueSummary(const etdump::DebugValue& value, const core::MappedFile* buffer);

}  // namespace et::inspector::events
