#pragma once

#include "runtime/kernels/dense/tap_runs.h"
#include "runtime/kernels/followers.h"
#include "runtime/kernels/kernel_context.h"

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
/// collect the elements under the kernel for a few positions at a time. `followers` (null: none) of floats
/// get each tile. Errors: Limit.
template <class T>
[[nodiscard]] core::Result<> convolveByProduct(KernelContext& context, const Convolution& shape,
                                               const T* input, const T* packedWeight, const T* bias,
                                               T* output, const Followers* followers = nullptr);

}  // namespace et::kernels::dense
