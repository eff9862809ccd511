#pragma once

#include "runtime/kernels/dense/tap_runs.h"
#include "runtime/kernels/kernel_context.h"
#include "runtime/kernels/result_steps.h"

#include <cstddef>
#include <span>

// Convolution as a matrix product: output channels x taps times taps x output positions. T is float or
// double; tensors are row-major.
namespace et::kernels::dense {

/// Number of elements of a packed weight, for all groups.
[[nodiscard]] std::size_t packedWeightElements(const Filter& filter);

/// Packs a row-major weight with the layout of ConvolutionArguments. Errors: Limit.
template <class T>
[[nodiscard]] core::Result<> packWeight(KernelContext& context, const Filter& filter, const T* weight,
                                        T* packed);

/// output = bias (null: 0) + input * weight. A pointwise convolution reads the input in place; others collect
/// the elements under the kernel for a few positions at a time. Then applies `steps` (float only). Errors:
/// Limit.
template <class T>
[[nodiscard]] core::Result<> convolveByProduct(KernelContext& context, const Convolution& shape,
                                               const T* input, const T* packedWeight, const T* bias,
                                               T* output, ResultSteps steps = {});

}  // namespace et::kernels::dense
