#pragma once

#include "runtime/core/result.h"
#include "runtime/core/scalar_type.h"

#include <cstddef>
#include <cstdint>

namespace et::kernels {

/// Adds `count` elements to as many others; steps in bytes. Integers wrap around, bools are combined with
/// "or".
using AddRow = void (*)(const std::byte* from, std::int64_t fromStep, std::byte* to, std::int64_t toStep,
                        std::int64_t count);

/// Errors: Unsupported (quantized dtypes).
[[nodiscard]] core::Result<AddRow> selectAddRow(core::ScalarType type);

}  // namespace et::kernels
