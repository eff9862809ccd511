#pragma once

#include "runtime/kernels/boxing.h"
#include "runtime/kernels/spatial/pool_shape.h"

#include <cstdint>
#include <optional>

namespace et::kernels::spatial {

/// Divisor of a window's sum: the number of its inputs, of its positions including padding, or a fixed value.
struct AverageDivisor {
    std::optional<std::int64_t> fixed;
    bool countPadding = true;
};

/// Writes the mean of each window to `out` [.., outputs]. Real floating dtypes and int64. Errors:
/// InvalidArgument (dtype of `out`, a divisor of 0), Unsupported (other dtypes).
[[nodiscard]] core::Result<> avgPool(KernelContext& context, const PoolShape& shape,
                                     const AverageDivisor& divisor, const Tensor& self, Tensor& out);

/// Writes the maximum of each window (NaN takes precedence) to `out` and its index in the plane of its
/// channel to `indices` (int64). Floating and integer dtypes up to int64. Errors: InvalidArgument,
/// Unsupported, Limit (2^32 elements per plane).
[[nodiscard]] core::Result<> maxPool(KernelContext& context, const PoolShape& shape, const Tensor& self,
                                     Tensor& out, Tensor& indices);

/// Sums the gradients of the outputs that selected each input into `gradInput`, which has the sizes of
/// `self`.
[[nodiscard]] core::Result<> maxPoolBackward(const PoolShape& shape, const Tensor& gradOutput,
                                             const Tensor& self, const Tensor& indices, Tensor& gradInput);

}  // namespace et::kernels::spatial
