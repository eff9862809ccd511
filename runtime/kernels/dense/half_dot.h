#pragma once

#include <cstddef>

namespace et::kernels::dense {

/// results[j] = the sum over `depth` of left * rows[j], where rows[j] starts `stride` elements after rows[j -
/// 1]. The order of summation is that of PyTorch's half-precision products, the same on every CPU: 64 running
/// sums over whole 64s, 8 over the whole 16s of the remainder, each folded in halves, then the rest one by
/// one. If the factors are half precision, the order alone decides how a tie is rounded.
void dotRows(const float* left, const float* rows, std::ptrdiff_t stride, std::size_t count,
             std::size_t depth, float* results);

}  // namespace et::kernels::dense
