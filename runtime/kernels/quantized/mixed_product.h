#pragma once

#include "runtime/kernels/boxing.h"

#include <optional>

namespace et::kernels::quantized {

/// quantized_decomposed::mixed_mm.out: `input` [m, k] times `weight` (int8) [k, n], which has a scale (and
/// zero point) a row. Errors: InvalidArgument (shapes, dtypes), Unsupported (dtypes other than floating ones,
/// dim orders).
[[nodiscard]] core::Result<> mixedMm(KernelContext& context, const Tensor& input, const Tensor& weight,
                                     const Tensor& scales, const Tensor* zeroPoints, Tensor& out);

/// quantized_decomposed::mixed_linear.out: `input` [m, k] times the transposed `weight` (int8) [n, k], which
/// has a scale (and zero point) a row, or one for each group of a row.
[[nodiscard]] core::Result<> mixedLinear(KernelContext& context, const Tensor& input, const Tensor& weight,
                                         const Tensor& scales, const Tensor* zeroPoints,
                                         std::optional<ScalarType> dtype, Tensor& out);

}  // namespace et::kernels::quantized
