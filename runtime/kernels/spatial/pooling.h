#pragma once

#include "runtime/kernels/boxing.h"
#include "runtime/kernels/spatial/pool_shape.h"

#include <cstdint>
#include <optional>

namespace et::kernels::spatial {

/// What the sum of a window is divided by: the number of its inputs, of its places with those in the padding,
/// or a number of the caller's.
struct AverageDivisor {
    std::optional<std::int64_t> fixed;
    bool countPadding = true;
};

/// `out` [.., outputs] gets the mean of each window. Real floating dtypes and int64. Errors: InvalidArgument
/// (dtype of `out`, a divisor of 0), Unsupported (other dtypes).
[[nodiscard]] core::Result<> avgPool(KernelContext& context, const PoolShape& shape,
                                     const AverageDivisor& divisor, const Tensor& self, Tensor& out);

/// `out` gets the greatest input of each window (NaN before all), `indices` (int64) its index in the plane of
/// its channel. Floating and integer dtypes up to int64. Errors: InvalidArgument, Unsupported, Limit (2^32
/// elements a plane).
[[nodiscard]] core::Result<> maxPool(KernelContext& context, const PoolShape& shape, const Tensor& self,
                                     Tensor& out, Tensor& indices);

/// `gradInput`, of the sizes of `self`, gets the sums of the gradients of the outputs that took each input.
[[nodiscard]] core::Result<> maxPoolBackward(const PoolShape& shape, const Tensor& gradOutput,
                                             const Tensor& self, const Tensor& indices, Tensor& gradInput);

}  // namespace et::kernels::spatial
