#pragma once

#include "runtime/kernels/boxing.h"
#include "runtime/kernels/fused_tail.h"

#include <optional>

// Elementwise operators for FusedTail: they register their step on parts of a float result.
namespace et::kernels {

[[nodiscard]] core::Result<> hardtanhParts(KernelContext& context, const Tensor& self, Scalar low,
                                           Scalar high, Tensor& out);
[[nodiscard]] core::Result<> reluParts(KernelContext& context, const Tensor& self, Tensor& out);
[[nodiscard]] core::Result<> clampParts(KernelContext& context, const Tensor& self, std::optional<Scalar> low,
                                        std::optional<Scalar> high, Tensor& out);

}  // namespace et::kernels
