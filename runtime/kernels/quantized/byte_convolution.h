#pragma once

#include "runtime/kernels/dense/image_convolution.h"
#include "runtime/kernels/quantized/byte_filter.h"

#include <cstddef>
#include <cstdint>
#include <vector>

// The first convolution of a quantized image: of three channels or so. XNNPACK takes the taps one after the
// other, and there is next to nothing in each.
namespace et::kernels::quantized {

/// Whether XNNPACK multiplies bytes in tiles here (AMX), of which narrow matrices leave most empty.
[[nodiscard]] bool hasByteTiles();

/// Such a convolution, of signed bytes. To the bit what XNNPACK computes on x86.
class ByteConvolution {
  public:
    using Element = std::int8_t;
    using Scratch = std::uint8_t;

    /// The width is not dilated.
    ByteConvolution(const dense::ImageConvolution& shape, const ByteFilter& filter);

    /// For images of another size: only sizes may differ from those that it was made with.
    void reshape(const dense::ImageConvolution& shape) { form = shape; }

    /// What one thread needs beside the images.
    [[nodiscard]] static std::size_t scratchElements(const dense::ImageConvolution& shape);
    [[nodiscard]] std::size_t packedBytes() const;

    /// Output rows `begin` to `end`, of all images one behind the other.
    void computeRows(const std::int8_t* input, std::int8_t* output, std::size_t begin, std::size_t end,
                     std::uint8_t* scratch) const;

  private:
    dense::ImageConvolution form;
    std::vector<std::int8_t> weights;  ///< [blocks of 16 outputs, height, quads, 16, 4]
    std::vector<std::int32_t> biases;  ///< [blocks of 16], with what the zero points come to
    std::vector<float> scales;         ///< likewise
    std::uint8_t zero;                 ///< of the input, with the highest bit turned over
    std::int32_t outputZero;
    std::int8_t low;
    std::int8_t high;
};

}  // namespace et::kernels::quantized
