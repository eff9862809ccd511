#pragma once

#include "runtime/kernels/dense/image_convolution.h"
#include "runtime/kernels/quantized/byte_filter.h"

#include <cstddef>
#include <cstdint>
#include <vector>

// The first convolution of a quantized image, with about three channels. XNNPACK processes one tap at a time,
// each with very little work.
namespace et::kernels::quantized {

/// True if XNNPACK multiplies bytes in AMX tiles on this CPU; narrow matrices leave most of a tile empty.
[[nodiscard]] bool hasByteTiles();

/// A convolution of signed bytes with few input channels. Bit-exact with XNNPACK on x86.
class ByteConvolution {
  public:
    using Element = std::int8_t;
    using Scratch = std::uint8_t;

    /// The width must not be dilated.
    ByteConvolution(const dense::ImageConvolution& shape, const ByteFilter& filter);

    /// Adapts to images of another size: only sizes may differ from those at construction.
    void reshape(const dense::ImageConvolution& shape) { form = shape; }

    /// Scratch elements per thread.
    [[nodiscard]] static std::size_t scratchElements(const dense::ImageConvolution& shape);
    [[nodiscard]] std::size_t packedBytes() const;

    /// Computes output rows `begin` to `end`, counted over all images.
    void computeRows(const std::int8_t* input, std::int8_t* output, std::size_t begin, std::size_t end,
                     std::uint8_t* scratch) const;

  private:
    dense::ImageConvolution form;
    std::vector<std::int8_t> weights;  ///< [blocks of 16 outputs, height, quads, 16, 4]
    std::vector<std::int32_t> biases;  ///< [blocks of 16], including the contribution of the zero points
    std::vector<float> scales;         ///< likewise
    std::uint8_t zero;                 ///< zero point of the input, with the highest bit flipped
    std::int32_t outputZero;
    std::int8_t low;
    std::int8_t high;
};

}  // namespace et::kernels::quantized
