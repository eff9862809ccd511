#pragma once

#include "runtime/kernels/boxing.h"

#include <cstdint>

namespace et::kernels::quantized {

/// quantized_decomposed::choose_qparams.Tensor_out: one scale (at least `eps`) and zero point for all
/// elements of `input`, such that its minimum, its maximum and 0 are in the range. Errors: InvalidArgument,
/// Unsupported.
[[nodiscard]] core::Result<> chooseParameters(KernelContext& context, const Tensor& input,
                                              std::int64_t quantMin, std::int64_t quantMax, double eps,
                                              ScalarType dtype, Tensor& scale, Tensor& zeroPoint);

/// quantized_decomposed::choose_qparams_per_token_asymmetric.out: the same for int8, per row of the last
/// dimension.
[[nodiscard]] core::Result<> chooseParametersPerToken(KernelContext& context, const Tensor& input,
                                                      ScalarType dtype, Tensor& scale, Tensor& zeroPoint);

}  // namespace et::kernels::quantized
