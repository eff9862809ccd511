#pragma once

#include <cstddef>

// The inner loops of attention, chosen by what the CPU has.
namespace et::kernels::llama {

/// scores[j] = the sum over `depth` of query * keys[j], where keys[j] starts `stride` elements after keys[j -
/// 1].
void score(const float* query, const float* keys, std::ptrdiff_t stride, std::size_t count, std::size_t depth,
           float* scores);

/// scores = scores * scale + mask (null: none). Gives the greatest of them, NaN if there is one.
[[nodiscard]] float scaleScores(float* scores, std::size_t count, float scale, const float* mask);

/// scores = exp(scores - greatest). Gives their sum.
[[nodiscard]] float exponentiate(float* scores, std::size_t count, float max);

/// sums = sums * factor + the sum over j of weights[j] * values[j]; `depth` numbers each. With a factor of 0,
/// what was in `sums` does not matter.
void mix(const float* weights, const float* values, std::ptrdiff_t stride, std::size_t count,
         std::size_t depth, float factor, float* sums);

}  // namespace et::kernels::llama
