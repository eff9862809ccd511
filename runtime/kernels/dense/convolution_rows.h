#pragma once

#include "runtime/kernels/dense/convolution_shape.h"
#include "runtime/kernels/kernel_context.h"
#include "runtime/kernels/result_steps.h"

// Convolution of a row-major float image with few channels, such as a network's first convolution: products
// along rows of results, read directly from the image's phases (phases.h). Avoids the transpose and the tile
// of collected elements, which dominate when they are reused only a few times.
namespace et::kernels::dense {

/// True if convolveRows() supports the shape.
[[nodiscard]] bool hasFewInputs(const Convolution& shape);

/// Packs a row-major weight for convolveRows(), into packedWeightElements(). Errors: Limit.
[[nodiscard]] core::Result<> packRowsWeight(KernelContext& context, const Filter& filter, const float* weight,
                                            float* packed);

/// output = bias (null: 0) + input * weight; then `steps`. Each sum starts with the bias and adds tap by tap,
/// and within a tap channel by channel, which is bit-exact with XNNPACK. Errors: Limit (temporary memory).
[[nodiscard]] core::Result<> convolveRows(KernelContext& context, const Convolution& shape,
                                          const float* input, const float* packedWeight, const float* bias,
                                          float* output, ResultSteps steps);

}  // namespace et::kernels::dense
