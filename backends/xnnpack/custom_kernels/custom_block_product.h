#pragma once

#include "backends/xnnpack/custom_kernels/custom_node.h"
#include "backends/xnnpack/custom_kernels/packed_weights.h"
#include "runtime/kernels/quantized/block_product.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace et::backends::xnnpack {

/// Whether a node multiplies dynamically quantized fp32 rows by constant blockwise 4-bit weights, and this
/// processor has the instructions that BlockProduct requires.
[[nodiscard]] bool isBlockProduct(const Payload& payload, const PayloadNode& node);

/// Such a product, which reads floats and quantizes them itself: bit-exact with the library but faster than
/// XNNPACK 20241108, for any number of rows (benchmarks/block_product_benchmark.cpp).
class CustomBlockProduct final : public CustomNode {
  public:
    /// Packs the weights. Errors: Limit.
    [[nodiscard]] static core::Result<std::unique_ptr<CustomBlockProduct>> make(const Source& source,
                                                                                const PayloadNode& node);

    [[nodiscard]] std::string name() const override;
    [[nodiscard]] std::uint64_t packedBytes() const override { return packedWeights.bytes(); }
    void reshape(const Shapes& shapes) override;
    void run(std::span<void* const> places) override;

  private:
    CustomBlockProduct(const Source& source, const PayloadNode& node);
    core::Result<> pack(const Source& source, const PayloadNode& node);
    void quantize(const float* from, std::size_t begin, std::size_t end);

    const kernels::ThreadPool& threads;
    ValueIndex input;  ///< the floats
    ValueIndex output;
    kernels::quantized::BlockProductShape shape;
    PackedWeights packedWeights;
    std::optional<kernels::quantized::BlockProduct> product;
    std::size_t rows = 0;
    std::vector<std::uint8_t> bytes;  ///< the quantized rows
    std::vector<float> scales;        ///< by row
    std::vector<float> zeroPoints;    ///< likewise
};

}  // namespace et::backends::xnnpack
