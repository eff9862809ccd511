#pragma once

#include "runtime/kernels/boxing.h"

#include <cstdint>

// Per-tensor quantization, shared by several dialects.
namespace et::kernels::quantized {

/// Writes round(input / scale) + zero point, clamped to quantMin … quantMax, to `out` of `dtype`. Errors:
/// Unsupported, InvalidArgument (the range exceeds the dtype).
[[nodiscard]] core::Result<> quantizePerTensor(KernelContext& context, const Tensor& input, double scale,
                                               std::int64_t zeroPoint, std::int64_t quantMin,
                                               std::int64_t quantMax, ScalarType dtype, Tensor& out);

/// Writes (input - zero point) * scale to `out`. Errors: as above.
[[nodiscard]] core::Result<> dequantizeToFloat(KernelContext& context, const Tensor& input, double scale,
                                               std::int64_t zeroPoint, std::int64_t quantMin,
                                               std::int64_t quantMax, ScalarType dtype, Tensor& out);

}  // namespace et::kernels::quantized
