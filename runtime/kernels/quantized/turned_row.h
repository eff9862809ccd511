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

/// Row `y` of an image, counted from the padding above it on: the padding before it, its bytes with their
/// highest bit turned over, and behind it padding again, as far as `row` goes. Padding is `zero`.
void turnRow(const dense::ImageConvolution& shape, const std::int8_t* image, std::size_t y, std::uint8_t zero,
             std::span<std::uint8_t> row);

}  // namespace et::kernels::quantized
