#pragma once

#include "runtime/kernels/dense/convolution_shape.h"
#include "runtime/kernels/kernel_context.h"
#include "runtime/kernels/result_steps.h"

// Depthwise convolution of row-major float images with 3x3 kernels and padding of 1, the most common case:
// rows are read in place, and each load serves several result rows.
namespace et::kernels::dense {

/// Requires isDepthwise().
[[nodiscard]] bool isSmallDepthwise(const Convolution& shape);

/// Same as depthwise(). Errors: Limit (temporary memory).
[[nodiscard]] core::Result<> smallDepthwise(KernelContext& context, const Convolution& shape,
                                            const float* input, const float* weight, const float* bias,
                                            float* output, ResultSteps steps);

}  // namespace et::kernels::dense
