#pragma once

#include "runtime/kernels/boxing.h"
#include "runtime/kernels/fusion.h"

// Dense operators fused with preceding or following ones, for the table of fusion.cpp. Each function is a
// FusedFunction.
namespace et::kernels::dense {

/// aten::convolution with elementwise followers, applied to each plane or tile right after it is computed.
[[nodiscard]] core::Result<bool> convolveThen(KernelContext& context, Arguments first,
                                              std::span<const FusedTail::Call> behind, FusedWork* work);

// A product whose right matrix is the transpose of another, which is read in place. One function each for a
// preceding aten::permute_copy, aten::transpose_copy.int and aten::t_copy.
[[nodiscard]] core::Result<bool> multiplyPermuted(KernelContext& context, Arguments first,
                                                  std::span<const FusedTail::Call> behind, FusedWork* work);
[[nodiscard]] core::Result<bool> multiplyTransposed(KernelContext& context, Arguments first,
                                                    std::span<const FusedTail::Call> behind, FusedWork* work);
[[nodiscard]] core::Result<bool> multiplyT(KernelContext& context, Arguments first,
                                           std::span<const FusedTail::Call> behind, FusedWork* work);

/// Kernels of aten::mm and aten::addmm.
[[nodiscard]] core::Result<> mmOut(KernelContext& context, const Tensor& left, const Tensor& right,
                                   Tensor& out);
[[nodiscard]] core::Result<> addmmOut(KernelContext& context, const Tensor& self, const Tensor& left,
                                      const Tensor& right, Scalar beta, Scalar alpha, Tensor& out);

}  // namespace et::kernels::dense
