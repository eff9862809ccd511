#pragma once

#include <array>
#include <cstddef>

// Vectors of AVX2, in whose lanes PyTorch sums float32 (Arithmetic::Torch).
namespace et::kernels::reduction {

inline constexpr std::size_t lanes = 8;
using Lanes = std::array<float, lanes>;

}  // namespace et::kernels::reduction
