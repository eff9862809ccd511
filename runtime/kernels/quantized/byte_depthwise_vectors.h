#pragma once

#include <cstddef>
#include <cstdint>

// What byte_depthwise.cpp computes with: vectors of AVX-512 with VNNI.
namespace et::kernels::quantized {

inline constexpr std::size_t maxDepthwiseWidth = 64;   ///< channels of a vector
inline constexpr std::size_t maxDepthwiseHeight = 16;  ///< rows of a kernel
inline constexpr std::size_t maxDepthwiseRows = 32;    ///< of the image, from its first to its last

/// Channels of the vectors for so many channels: 64, 32 or 16.
[[nodiscard]] std::size_t depthwiseWidth(std::size_t channels);

/// A row of the output, for channels that a vector has.
struct DepthwiseRow {
    const std::uint8_t* const*
        inputs;  ///< rows under the kernel, with their padding, the highest bits turned
    std::size_t rows;
    std::size_t quads;     ///< of pixels, that an output reads
    std::size_t together;  ///< outputs that read the same ones
    std::size_t first;     ///< channel
    std::size_t width;     ///< depthwiseWidth()
    std::size_t count;     ///< of these channels that there are
    std::size_t pixelStep;
    std::size_t stride;
    std::size_t pixels;          ///< of the output
    const std::int8_t* weights;  ///< by row, output of those together, quad: four vectors
    const std::int32_t* biases;  ///< four vectors
    const float* scales;         ///< likewise
    std::int8_t* output;
    std::int32_t outputZero;
    std::int8_t low;
    std::int8_t high;
};
void depthwiseRow(const DepthwiseRow& row);

}  // namespace et::kernels::quantized
