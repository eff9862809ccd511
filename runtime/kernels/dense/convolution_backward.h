#pragma once

#include "runtime/kernels/boxing.h"

namespace et::kernels::dense {

/// aten::convolution_backward.out: the gradients of input, weight and bias selected by `mask`. Results that
/// are not selected are not written and may be None. Errors: InvalidArgument, Unsupported, Limit.
[[nodiscard]] core::Result<> convolutionBackward(KernelContext& context, const Tensor& outputGradient,
                                                 const Tensor& input, const Tensor& weight,
                                                 std::optional<IntList> biasSizes, IntList stride,
                                                 IntList padding, IntList dilation, bool transposed,
                                                 IntList outputPadding, std::int64_t groups, BoolList mask,
                                                 Tensor* inputResult, Tensor* weightResult,
                                                 Tensor* biasResult);

}  // namespace et::kernels::dense
