#pragma once

#include <cstddef>
#include <cstdint>

// Products of rows with weights of 4 bits in blocks, as large language models have them.
namespace et::kernels::quantized {

struct BlockProductShape {
    std::size_t outputs = 0;
    std::size_t depth = 0;  ///< a multiple of `block`, less than 2^24
    std::size_t block = 0;  ///< weights of an output that share a scale: a multiple of 32
};

/// Weights [outputs, depth], two a byte: the earlier one in the lower bits, 8 more than it is.
struct BlockWeights {
    BlockProductShape shape;
    const std::byte* pairs = nullptr;
    const std::uint16_t* scales = nullptr;  ///< bfloat16, [outputs, depth / block]
    const float* bias = nullptr;            ///< null: none
};

/// Rows as quantizeRow() makes them, each behind the other, and what they were made with.
struct QuantizedRows {
    const std::uint8_t* bytes = nullptr;
    const float* scales = nullptr;
    const float* zeroPoints = nullptr;
    std::size_t count = 0;
};

/// Such a product, to the bit what XNNPACK computes where it has kernels of AVX-512 VNNI: whole sums of a
/// block, which are added up as floats in the order of the blocks. Only where hasFastByteConvolution().
class BlockProduct {
  public:
    [[nodiscard]] static std::size_t packedBytes(const BlockProductShape& shape);
    /// `to` is at an address for vectors of 64 bytes.
    static void pack(const BlockWeights& weights, std::byte* to);

    /// Of packed weights, which outlive it. Results are cut off at `low` and `high`.
    BlockProduct(const BlockProductShape& shape, const std::byte* packed, float low, float high)
        : form(shape), memory(packed), least(low), most(high) {}

    /// Pieces of work in the product with so many rows.
    [[nodiscard]] std::size_t pieces(std::size_t rows) const;
    /// Computes pieces `begin` to `end` of [rows, outputs].
    void compute(const QuantizedRows& rows, std::size_t begin, std::size_t end, float* to) const;

  private:
    void computeChunk(const QuantizedRows& rows, std::size_t firstGroup, std::size_t endGroup,
                      float* to) const;

    BlockProductShape form;
    const std::byte* memory;
    float least;
    float most;
};

}  // namespace et::kernels::quantized
