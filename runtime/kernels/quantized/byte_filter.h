#pragma once

#include <cstdint>

namespace et::kernels::quantized {

/// What a convolution of signed bytes multiplies with, and what becomes of its sums: round(sum * scale) +
/// zero point, held within bounds; the product in fp32, halves to the even one.
struct ByteFilter {
    const std::int8_t* weights = nullptr;  ///< [outputs, height, width, inputs]; their zero point is 0
    const std::int32_t* bias = nullptr;    ///< null: none
    const float* scales = nullptr;         ///< one an output
    std::int32_t inputZero = 0;
    std::int32_t outputZero = 0;
    std::int8_t low = -128;
    std::int8_t high = 127;
};

/// Whether this processor has what the kernels of ours take: AVX-512 with VNNI.
[[nodiscard]] bool hasFastByteConvolution();

}  // namespace et::kernels::quantized
