#pragma once

#include <cstddef>
#include <cstdint>

// Products of rows with 4-bit weights in blocks, as used by large language models.
namespace et::kernels::quantized {

struct BlockProductShape {
    std::size_t outputs = 0;
    std::size_t depth = 0;  ///< a multiple of `block`, less than 2^24
    std::size_t block = 0;  ///< weights of an output that share a scale: a multiple of 32
};

/// Weights [outputs, depth], two per byte: the earlier one in the low bits, stored with an offset of 8.
struct BlockWeights {
    BlockProductShape shape;
    const std::byte* pairs = nullptr;
    const std::uint16_t* scales = nullptr;  ///< bfloat16, [outputs, depth / block]
    const float* bias = nullptr;            ///< null: none
};

/// Contiguous rows produced by quantizeRow(), and their quantization parameters.
struct QuantizedRows {
    const std::uint8_t* bytes = nullptr;
    const float* scales = nullptr;
    const float* zeroPoints = nullptr;
    std::size_t count = 0;
};

/// A product with block-quantized weights, bit-exact with XNNPACK's AVX-512 VNNI kernels: integer sums per
/// block, added as floats in block order. Requires hasFastByteConvolution().
class BlockProduct {
  public:
    [[nodiscard]] static std::size_t packedBytes(const BlockProductShape& shape);
    /// `to` must be 64-byte aligned.
    static void pack(const BlockWeights& weights, std::byte* to);

    /// The packed weights must outlive it. Results are clamped to `low` and `high`.
    BlockProduct(const BlockProductShape& shape, const std::byte* packed, float low, float high)
        : form(shape), memory(packed), least(low), most(high) {}

    /// Number of work items for a product with `rows` rows.
    [[nodiscard]] std::size_t pieces(std::size_t rows) const;
    /// Computes work items `begin` to `end` of [rows, outputs].
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
