#pragma once

#include "runtime/kernels/dense/convolution_shape.h"
#include "runtime/kernels/followers.h"
#include "runtime/kernels/kernel_context.h"

// Depthwise 1-D and 2-D convolution of row-major float images: no transposes, vectors along rows.
namespace et::kernels::dense {

/// Whether depthwise() takes it: one input channel a group, not transposed, no depth, and parameters of the
/// size that real models have.
[[nodiscard]] bool isDepthwise(const Convolution& shape);

/// output = bias (null: 0) + input * weight; tensors are row-major. `followers` (null: none) get each
/// channel. Errors: Limit (temporary memory).
[[nodiscard]] core::Result<> depthwise(KernelContext& context, const Convolution& shape, const float* input,
                                       const float* weight, const float* bias, float* output,
                                       const Followers* followers);

}  // namespace et::kernels::dense
