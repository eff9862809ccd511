#pragma once

#include "runtime/kernels/dense/convolution_shape.h"
#include "runtime/kernels/kernel_context.h"
#include "runtime/kernels/result_steps.h"

// Depthwise 1-D and 2-D convolution of row-major float images: no transposes, vectors along rows.
namespace et::kernels::dense {

/// True if depthwise() supports the shape: one input channel per group, not transposed, no depth, and
/// parameters in the range of real models.
[[nodiscard]] bool isDepthwise(const Convolution& shape);

/// output = bias (null: 0) + input * weight; tensors are row-major; then `steps`. Errors: Limit
/// (temporary memory).
[[nodiscard]] core::Result<> depthwise(KernelContext& context, const Convolution& shape, const float* input,
                                       const float* weight, const float* bias, float* output,
                                       ResultSteps steps);

}  // namespace et::kernels::dense
