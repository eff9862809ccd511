#pragma once

#include "runtime/kernels/boxing.h"
#include "runtime/kernels/dense/convolution_shape.h"
#include "runtime/kernels/followers.h"

// aten::convolution for operators that are other names of it.
namespace et::kernels::dense {

/// Gives `out` its sizes and computes it. All tensors have one dtype; weights that are constant floats are
/// kept packed in the context's state. `followers`: what is computed with it; null: nothing. Errors:
/// InvalidArgument, Unsupported, Limit.
[[nodiscard]] core::Result<> convolve(KernelContext& context, const ConvolutionArguments& arguments,
                                      Tensor& out, Followers* followers = nullptr);

}  // namespace et::kernels::dense
