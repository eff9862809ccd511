#pragma once

#include "runtime/kernels/dense/image_convolution.h"
#include "runtime/kernels/quantized/byte_filter.h"

#include <cstddef>
#include <cstdint>
#include <vector>

// Depthwise convolutions of quantized images. XNNPACK widens each byte to 32 bits and multiplies it alone;
// here four pixels of a row are multiplied at once.
namespace et::kernels::quantized {

/// A depthwise convolution of signed bytes, one output a channel. To the bit what XNNPACK computes on x86.
class ByteDepthwise {
  public:
    using Element = std::int8_t;
    using Scratch = std::uint8_t;

    /// Columns of a kernel that it takes.
    static constexpr std::size_t maxWidth = 8;

    /// `filter` has [1, height, width, channels]. The width is not dilated, and at most maxWidth.
    ByteDepthwise(const dense::ImageConvolution& shape, const ByteFilter& filter);

    /// For images of another size: only sizes may differ from those that it was made with.
    void reshape(const dense::ImageConvolution& shape) { form = shape; }

    /// What one thread needs beside the images.
    [[nodiscard]] static std::size_t scratchElements(const dense::ImageConvolution& shape);
    [[nodiscard]] std::size_t packedBytes() const;

    /// Output rows `begin` to `end`, of all images one behind the other.
    void computeRows(const std::int8_t* input, std::int8_t* output, std::size_t begin, std::size_t end,
                     std::uint8_t* scratch) const;

  private:
    class RowMaker;

    [[nodiscard]] std::size_t weightBytes(std::size_t channels) const;
    /// Puts the weights of one channel, which `from` starts with, at `place` of a block of `width` channels.
    /// Gives their sum.
    [[nodiscard]] std::int32_t packChannel(const std::int8_t* from, std::int8_t* block, std::size_t width,
                                           std::size_t place) const;

    dense::ImageConvolution form;
    std::size_t quads;                 ///< of pixels, that a row of the kernel spans
    std::size_t together;              ///< outputs of a row that read the same quads
    std::vector<std::int8_t> weights;  ///< by block, row, output of those together, quad: channels, four each
    std::vector<std::int32_t> biases;  ///< by block, with what the zero points come to
    std::vector<float> scales;         ///< likewise
    std::uint8_t zero;                 ///< of the input, with the highest bit turned over
    std::int32_t outputZero;
    std::int8_t low;
    std::int8_t high;
};

}  // namespace et::kernels::quantized
