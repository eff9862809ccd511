#pragma once

#include <cstdint>

namespace et::kernels::quantized {

/// Weights of a convolution of signed bytes, and its output stage: round(sum * scale) + zero point, clamped;
/// the product is in fp32, ties to even.
struct ByteFilter {
    const std::int8_t* weights = nullptr;  ///< [outputs, height, width, inputs]; their zero point is 0
    const std::int32_t* bias = nullptr;    ///< null: none
    const float* scales = nullptr;         ///< one per output
    std::int32_t inputZero = 0;
    std::int32_t outputZero = 0;
    std::int8_t low = -128;
    std::int8_t high = 127;
};

/// True if this CPU supports the custom kernels: AVX-512 with VNNI.
[[nodiscard]] bool hasFastByteConvolution();

}  // namespace et::kernels::quantized
