#pragma once

#include "runtime/kernels/dense/image_convolution.h"
#include "runtime/kernels/quantized/byte_filter.h"

#include <cstddef>
#include <cstdint>
#include <vector>

// Depthwise convolutions of quantized images. XNNPACK widens each byte to 32 bits and multiplies it
// separately; here four pixels of a row are multiplied at once.
namespace et::kernels::quantized {

/// A depthwise convolution of signed bytes with one output per channel. Bit-exact with XNNPACK on x86.
class ByteDepthwise {
  public:
    using Element = std::int8_t;
    using Scratch = std::uint8_t;

    /// Maximum kernel width.
    static constexpr std::size_t maxWidth = 8;

    /// `filter` is [1, height, width, channels]. The width must not be dilated and be at most maxWidth.
    ByteDepthwise(const dense::ImageConvolution& shape, const ByteFilter& filter);

    /// Adapts to images of another size: only sizes may differ from those at construction.
    void reshape(const dense::ImageConvolution& shape) { form = shape; }

    /// Scratch elements per thread.
    [[nodiscard]] static std::size_t scratchElements(const dense::ImageConvolution& shape);
    [[nodiscard]] std::size_t packedBytes() const;

    /// Computes output rows `begin` to `end`, counted over all images.
    void computeRows(const std::int8_t* input, std::int8_t* output, std::size_t begin, std::size_t end,
                     std::uint8_t* scratch) const;

  private:
    class RowMaker;

    [[nodiscard]] std::size_t weightBytes(std::size_t channels) const;
    /// Writes the weights of one channel, starting at `from`, to `place` of a block of `width` channels.
    /// Returns their sum.
    [[nodiscard]] std::int32_t packChannel(const std::int8_t* from, std::int8_t* block, std::size_t width,
                                           std::size_t place) const;

    dense::ImageConvolution form;
    std::size_t quads;                 ///< 4-pixel groups spanned by a kernel row
    std::size_t together;              ///< outputs in a row that read the same quads
    std::vector<std::int8_t> weights;  ///< by block, row, output of the group, quad: four bytes per channel
    std::vector<std::int32_t> biases;  ///< by block, including the contribution of the zero points
    std::vector<float> scales;         ///< likewise
    std::uint8_t zero;                 ///< zero point of the input, with the highest bit flipped
    std::int32_t outputZero;
    std::int8_t low;
    std::int8_t high;
};

}  // namespace et::kernels::quantized
