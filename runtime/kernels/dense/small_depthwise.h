#pragma once

#include "runtime/kernels/dense/convolution_shape.h"
#include "runtime/kernels/kernel_context.h"
#include "runtime/kernels/result_steps.h"

// Depthwise convolution of row-major float images with kernels of 3x3 and padding of 1, as most are: rows are
// read where they lie, and what is read serves several rows of results.
namespace et::kernels::dense {

/// Of those that isDepthwise().
[[nodiscard]] bool isSmallDepthwise(const Convolution& shape);

/// As depthwise(). Errors: Limit (temporary memory).
[[nodiscard]] core::Result<> smallDepthwise(KernelContext& context, const Convolution& shape,
                                            const float* input, const float* weight, const float* bias,
                                            float* output, ResultSteps steps);

}  // namespace et::kernels::dense
