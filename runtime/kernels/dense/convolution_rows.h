#pragma once

#include "runtime/kernels/dense/convolution_shape.h"
#include "runtime/kernels/kernel_context.h"
#include "runtime/kernels/result_steps.h"

// Convolution of a row-major float image with few channels, as a network's first one is: products along rows
// of results, whose numbers are read where they lie in the image's phases (phases.h). Neither a transpose nor
// a tile of collected elements is needed, which cost most where they are used a few times only.
namespace et::kernels::dense {

/// Whether convolveRows() takes it.
[[nodiscard]] bool hasFewInputs(const Convolution& shape);

/// Packs a row-major weight as convolveRows() takes it, into packedWeightElements(). Errors: Limit.
[[nodiscard]] core::Result<> packRowsWeight(KernelContext& context, const Filter& filter, const float* weight,
                                            float* packed);

/// output = bias (null: 0) + input * weight; then `steps`. Each sum begins with the bias and goes on tap by
/// tap, and channel by channel in each of them: to the bit what XNNPACK gives. Errors: Limit (temporary
/// memory).
[[nodiscard]] core::Result<> convolveRows(KernelContext& context, const Convolution& shape,
                                          const float* input, const float* packedWeight, const float* bias,
                                          float* output, ResultSteps steps);

}  // namespace et::kernels::dense
