#pragma once

#include "runtime/kernels/boxing.h"

#include <cstdint>

// KV cache: keys and values of past positions, [batch, positions, heads, depth].
namespace et::kernels::llama {

/// Copies `value` [batch, n, heads, depth] to the positions of `cache` starting at `startPos`. Errors:
/// InvalidArgument (shapes, dtypes, a position out of range).
[[nodiscard]] core::Result<> updateCache(KernelContext& context, const Tensor& value, Tensor& cache,
                                         std::int64_t startPos);

/// Copies each position of `value` to the one given by `indices` [batch, n] (int64).
[[nodiscard]] core::Result<> updateCacheAt(KernelContext& context, const Tensor& value, Tensor& cache,
                                           const Tensor& indices);

}  // namespace et::kernels::llama
