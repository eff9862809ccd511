#pragma once

#include <cstddef>

// Inner loops of attention, dispatched by CPU.
namespace et::kernels::llama {

/// scores[j] = the sum over `depth` of query * keys[j], where keys[j] starts `stride` elements after keys[j -
/// 1].
void score(const float* query, const float* keys, std::ptrdiff_t stride, std::size_t count, std::size_t depth,
           float* scores);

/// scores = scores * scale + mask (may be null). Returns the maximum, NaN if any score is NaN.
[[nodiscard]] float scaleScores(float* scores, std::size_t count, float scale, const float* mask);

/// scores = exp(scores - max). Returns their sum.
[[nodiscard]] float exponentiate(float* scores, std::size_t count, float max);

/// sums = sums * factor + the sum over j of weights[j] * values[j]; `depth` numbers each. With a factor of 0,
/// the previous `sums` are ignored.
void mix(const float* weights, const float* values, std::ptrdiff_t stride, std::size_t count,
         std::size_t depth, float factor, float* sums);

}  // namespace et::kernels::llama
