#pragma once

#include "runtime/kernels/boxing.h"

#include <optional>

namespace et::kernels::quantized {

/// quantized_decomposed::mixed_mm.out: `input` [m, k] times `weight` (int8) [k, n], with a scale (and zero
/// point) per row. Errors: InvalidArgument (shapes, dtypes), Unsupported (non-floating dtypes, dim orders).
[[nodiscard]] core::Result<> mixedMm(KernelContext& context, const Tensor& input, const Tensor& weight,
                                     const Tensor& scales, const Tensor* zeroPoints, Tensor& out);

/// quantized_decomposed::mixed_linear.out: `input` [m, k] times the transposed `weight` (int8) [n, k], with a
/// scale (and zero point) per row, or per group of a row.
[[nodiscard]] core::Result<> mixedLinear(KernelContext& context, const Tensor& input, const Tensor& weight,
                                         const Tensor& scales, const Tensor* zeroPoints,
                                         std::optional<ScalarType> dtype, Tensor& out);

}  // namespace et::kernels::quantized
