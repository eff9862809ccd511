#pragma once

#include "backends/xnnpack/custom_kernels/custom_node.h"

#include <xnnpack.h>

#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

namespace et::backends::xnnpack {

/// Whether a node is an fp32 transposed convolution whose strides equal its kernel size, so that pixels
/// produce disjoint blocks of output pixels.
[[nodiscard]] bool isUpConvolution(const Payload& payload, const PayloadNode& node);

/// Such a convolution with one thread, as library products of each row of pixels with the weights of each
/// kernel row, whose results are adjacent. The transposed convolution of XNNPACK 20241108 takes 2.4 to 4.3
/// times as long as a product with the same number of operations (benchmarks/nodes_benchmark.cpp).
class CustomUpConvolution final : public CustomNode {
  public:
    /// Packs the weights. Errors: Unsupported, Limit.
    [[nodiscard]] static core::Result<std::unique_ptr<CustomUpConvolution>> make(const Source& source,
                                                                                 const PayloadNode& node);

    [[nodiscard]] std::string name() const override;
    [[nodiscard]] std::uint64_t packedBytes() const override;
    void reshape(const Shapes& shapes) override;
    void run(std::span<void* const> places) override;

  private:
    struct Deleter {
        void operator()(xnn_operator_t operation) const { (void)xnn_delete_operator(operation); }
    };
    using Product = std::unique_ptr<std::remove_pointer_t<xnn_operator_t>, Deleter>;

    explicit CustomUpConvolution(const PayloadNode& node);
    core::Result<> pack(const Source& source, const PayloadNode& node);

    ValueIndex input;
    ValueIndex output;
    std::size_t inputChannels;
    std::size_t rowChannels;        ///< numbers per pixel in one output row
    std::vector<Product> products;  ///< one per kernel row
    std::size_t rows = 0;           ///< input rows of all samples
    std::size_t width = 0;          ///< pixels per row
};

}  // namespace et::backends::xnnpack
