#pragma once

#include "backends/xnnpack/own/own_node.h"

namespace et::backends::xnnpack {

/// Whether a node makes pixels of two to four planes of bytes, enough of them to count: an image that comes
/// channels first.
[[nodiscard]] bool isInterleave(const Payload& payload, const PayloadNode& node, const Shapes& shapes);

/// Such a node. The library transposes in blocks, of which three columns leave most empty
/// (docs/performance.md).
class OwnInterleave final : public OwnNode {
  public:
    explicit OwnInterleave(const PayloadNode& node) : input(node.inputs[0]), output(node.outputs[0]) {}

    [[nodiscard]] std::string name() const override { return "Transpose (ND, X8)"; }
    void reshape(const Shapes& shapes) override;
    void run(std::span<void* const> places) override;

  private:
    ValueIndex input;
    ValueIndex output;
    std::size_t samples = 0;
    std::size_t planes = 0;
    std::size_t count = 0;  ///< bytes of a plane
};

}  // namespace et::backends::xnnpack
