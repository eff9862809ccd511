#pragma once

#include "runtime/kernels/dense/tap_runs.h"
#include "runtime/kernels/kernel_context.h"
#include "runtime/kernels/result_steps.h"

#include <cstddef>
#include <span>

// Convolution as a product of matrices: output channels x taps times taps x output positions. T is float or
// double, tensors are row-major.
namespace et::kernels::dense {

/// Elements of a packed weight, for all groups.
[[nodiscard]] std::size_t packedWeightElements(const Filter& filter);

/// Packs a row-major weight as in ConvolutionArguments. Errors: Limit.
template <class T>
[[nodiscard]] core::Result<> packWeight(KernelContext& context, const Filter& filter, const T* weight,
                                        T* packed);

/// output = bias (null: 0) + input * weight. A pointwise one multiplies with the input as it lies; others
/// collect the elements under the kernel for a few positions at a time. Then `steps`, of floats.
/// Errors: Limit.
template <class T>
[[nodiscard]] core::Result<> convolveByProduct(KernelContext& context, const Convolution& shape,
                                               const T* input, const T* packedWeight, const T* bias,
                                               T* output, ResultSteps steps = {});

}  // namespace et::kernels::dense
