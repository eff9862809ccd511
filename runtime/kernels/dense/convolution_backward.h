#pragma once

#include "runtime/kernels/boxing.h"

namespace et::kernels::dense {

/// aten::convolution_backward.out: the gradients of input, weight and bias, as far as `mask` asks for them.
/// Results that it does not ask for are not touched and may be None. Errors: InvalidArgument, Unsupported,
/// Limit.
[[nodiscard]] core::Result<> convolutionBackward(KernelContext& context, const Tensor& outputGradient,
                                                 const Tensor& input, const Tensor& weight,
                                                 std::optional<IntList> biasSizes, IntList stride,
                                                 IntList padding, IntList dilation, bool transposed,
                                                 IntList outputPadding, std::int64_t groups, BoolList mask,
                                                 Tensor* inputResult, Tensor* weightResult,
                                                 Tensor* biasResult);

}  // namespace et::kernels::dense
