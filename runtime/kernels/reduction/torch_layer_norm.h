#pragma once

#include <cstddef>
#include <span>

// Layer normalization of float32 as PyTorch rounds it (Arithmetic::Torch), with vectors of AVX2.
namespace et::kernels::reduction {

struct TorchMoments {
    float mean;
    float variance;  ///< of n, not n - 1
};

/// Moments of elements that lie side by side: eight at a time, in chunks of 16 vectors that are joined two by
/// two (aten/src/ATen/native/cpu/moments_utils.h).
[[nodiscard]] TorchMoments torchMoments(std::span<const float> x);

struct TorchScale {
    float mean;
    float reciprocal;  ///< of the standard deviation
};

/// y = (x - mean) / deviation * weight + bias. Empty weights are ones, empty biases zeros.
TorchScale torchLayerNorm(std::span<const float> x, std::span<const float> weight,
                          std::span<const float> bias, float eps, float* y);

}  // namespace et::kernels::reduction
