#pragma once

#include "runtime/kernels/dense/image_convolution.h"

#include <cstddef>
#include <cstdint>
#include <span>

// Rows of quantized images as the instruction takes them that multiplies and adds four bytes at once:
// unsigned.
namespace et::kernels::quantized {

/// Bytes that it multiplies for one sum.
inline constexpr std::size_t quad = 4;

/// Turned over, it makes signed bytes unsigned ones: 128 more.
inline constexpr std::uint8_t signBit = 0x80;

/// A bias for bytes turned so: with what `zero` comes to where all weights add up to `sum`. Wraps around, as
/// sums of 32 bits do.
[[nodiscard]] constexpr std::int32_t biasOf(std::int32_t bias, std::int32_t sum, std::uint8_t zero) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(bias) -
                                     static_cast<std::uint32_t>(sum) * std::uint32_t{zero});
}

/// Row `y` of an image, counted from the padding above it on: the padding before it, its bytes with their
/// highest bit turned over, and behind it padding again, as far as `row` goes. Padding is `zero`.
void turnRow(const dense::ImageConvolution& shape, const std::int8_t* image, std::size_t y, std::uint8_t zero,
             std::span<std::uint8_t> row);

}  // namespace et::kernels::quantized
