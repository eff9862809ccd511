#pragma once

#include <cstddef>
#include <cstdint>

namespace et::kernels::quantized {

inline constexpr std::size_t minInterleaved = 2;
inline constexpr std::size_t maxInterleaved = 4;

/// Interleaves contiguous planes of `count` bytes into pixels: to[i * planes + plane] = from[plane * count +
/// i]. `planes`: minInterleaved to maxInterleaved.
void interleave(const std::uint8_t* from, std::size_t planes, std::size_t count, std::uint8_t* to);

}  // namespace et::kernels::quantized
