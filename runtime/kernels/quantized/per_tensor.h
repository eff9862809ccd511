#pragma once

#include "runtime/kernels/boxing.h"

#include <cstdint>

// Quantization with one scale and zero point for all of a tensor, for the tables of several dialects.
namespace et::kernels::quantized {

/// `out`, of `dtype`, gets round(input / scale) + zero point, cut to quantMin … quantMax. Errors:
/// Unsupported, InvalidArgument (dtype and range do not fit).
[[nodiscard]] core::Result<> quantizePerTensor(KernelContext& context, const Tensor& input, double scale,
                                               std::int64_t zeroPoint, std::int64_t quantMin,
                                               std::int64_t quantMax, ScalarType dtype, Tensor& out);

/// `out` gets (input - zero point) * scale. Errors: as above.
[[nodiscard]] core::Result<> dequantizeToFloat(KernelContext& context, const Tensor& input, double scale,
                                               std::int64_t zeroPoint, std::int64_t quantMin,
                                               std::int64_t quantMax, ScalarType dtype, Tensor& out);

}  // namespace et::kernels::quantized
