#pragma once

#include "runtime/core/tensor.h"
#include "runtime/kernels/kernel_context.h"
#include "runtime/kernels/shape_rules.h"

#include <cstddef>

// Sums of float32 as PyTorch rounds them (Arithmetic::Torch), with vectors of AVX2.
namespace et::kernels::reduction {

/// The sum of elements that lie side by side: eight at a time, four of these in turns, cascaded so that long
/// sums stay exact (aten/src/ATen/native/cpu/SumKernel.cpp).
[[nodiscard]] float torchRowSum(const float* x, std::size_t count);

/// out = sum over `dims` / divisor, where the elements of one sum lie side by side and the context wants
/// PyTorch's rounding. Says whether that is so; else nothing happens. `out` has its sizes.
[[nodiscard]] bool sumAsTorch(const KernelContext& context, const core::Tensor& self, DimSet dims,
                              float divisor, core::Tensor& out);

}  // namespace et::kernels::reduction
