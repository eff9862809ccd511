#pragma once

#include "runtime/kernels/dense/image_convolution.h"

#include <cstddef>
#include <cstdint>
#include <span>

// Rows of quantized images as unsigned bytes, for the instruction that multiplies and adds four bytes at
// once.
namespace et::kernels::quantized {

/// Bytes multiplied per sum.
inline constexpr std::size_t quad = 4;

/// Flipping it converts signed bytes to unsigned ones, 128 higher.
inline constexpr std::uint8_t signBit = 0x80;

/// Returns the bias for sign-flipped bytes: `bias` minus `zero` times the sum of all weights. Wraps around,
/// as 32-bit sums do.
[[nodiscard]] constexpr std::int32_t biasOf(std::int32_t bias, std::int32_t sum, std::uint8_t zero) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(bias) -
                                     static_cast<std::uint32_t>(sum) * std::uint32_t{zero});
}

/// Writes row `y` of an image, counted from the start of the padding above it: the padding before it, its
/// bytes with their highest bit flipped, and padding up to the end of `row`. Padding is `zero`.
void turnRow(const dense::ImageConvolution& shape, const std::int8_t* image, std::size_t y, std::uint8_t zero,
             std::span<std::uint8_t> row);

}  // namespace et::kernels::quantized
