#pragma once

#include "runtime/kernels/boxing.h"
#include "runtime/kernels/dense/convolution_shape.h"
#include "runtime/kernels/fused_tail.h"

// Implementation of aten::convolution for operators that are aliases of it.
namespace et::kernels::dense {

/// Resizes `out` and computes it. All tensors have one dtype; constant float weights are kept packed in the
/// context's state. `followers`: operators fused into it; may be null. Errors: InvalidArgument, Unsupported,
/// Limit.
[[nodiscard]] core::Result<> convolve(KernelContext& context, const ConvolutionArguments& arguments,
                                      Tensor& out, FusedTail* followers = nullptr);

}  // namespace et::kernels::dense
