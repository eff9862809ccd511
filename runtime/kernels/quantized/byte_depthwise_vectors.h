#pragma once

#include <cstddef>
#include <cstdint>

// Kernels of byte_depthwise.cpp for AVX-512 VNNI.
namespace et::kernels::quantized {

inline constexpr std::size_t maxDepthwiseWidth = 64;   ///< channels per vector
inline constexpr std::size_t maxDepthwiseHeight = 16;  ///< kernel rows
inline constexpr std::size_t maxDepthwiseRows = 32;    ///< image rows spanned by the kernel

/// Returns the vector width in channels for `channels` channels: 64, 32 or 16.
[[nodiscard]] std::size_t depthwiseWidth(std::size_t channels);

/// An output row for one vector of channels.
struct DepthwiseRow {
    const std::uint8_t* const* inputs;  ///< padded rows under the kernel, with the highest bits flipped
    std::size_t rows;
    std::size_t quads;     ///< 4-pixel groups that an output reads
    std::size_t together;  ///< outputs that read the same groups
    std::size_t first;     ///< channel
    std::size_t width;     ///< depthwiseWidth()
    std::size_t count;     ///< valid channels in the vector
    std::size_t pixelStep;
    std::size_t stride;
    std::size_t pixels;          ///< output pixels
    const std::int8_t* weights;  ///< by row, output of the group, quad: four vectors
    const std::int32_t* biases;  ///< four vectors
    const float* scales;         ///< likewise
    std::int8_t* output;
    std::int32_t outputZero;
    std::int8_t low;
    std::int8_t high;
};
void depthwiseRow(const DepthwiseRow& row);

}  // namespace et::kernels::quantized
