#pragma once

#include "backends/xnnpack/custom_kernels/custom_node.h"

namespace et::backends::xnnpack {

/// Whether a node interleaves two to four byte planes into pixels, and is large enough to matter: an image in
/// channels-first order.
[[nodiscard]] bool isInterleave(const Payload& payload, const PayloadNode& node, const Shapes& shapes);

/// Such a node. XNNPACK 20241108 transposes in blocks, which are mostly empty for three columns
/// (benchmarks/nodes_benchmark.cpp).
class CustomInterleave final : public CustomNode {
  public:
    explicit CustomInterleave(const PayloadNode& node) : input(node.inputs[0]), output(node.outputs[0]) {}

    [[nodiscard]] std::string name() const override { return "Transpose (ND, X8)"; }
    void reshape(const Shapes& shapes) override;
    void run(std::span<void* const> places) override;

  private:
    ValueIndex input;
    ValueIndex output;
    std::size_t samples = 0;
    std::size_t planes = 0;
    std::size_t count = 0;  ///< bytes per plane
};

}  // namespace et::backends::xnnpack
