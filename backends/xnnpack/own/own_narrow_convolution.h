#pragma once

#include "backends/xnnpack/own/own_node.h"
#include "runtime/kernels/dense/narrow_convolution.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace et::backends::xnnpack {

/// Whether a node is a convolution of fp32, not in groups, to so few channels that the library computes more
/// of them than there are, with enough to do for that to count.
[[nodiscard]] bool isNarrowConvolution(const Payload& payload, const PayloadNode& node, const Shapes& shapes);

/// Such a convolution: the library's bits in about two thirds of its time (docs/performance.md).
class OwnNarrowConvolution final : public OwnNode {
  public:
    OwnNarrowConvolution(const Source& source, const PayloadNode& node);

    [[nodiscard]] std::string name() const override;
    [[nodiscard]] std::uint64_t packedBytes() const override { return convolution.packedBytes(); }
    void reshape(const Shapes& shapes) override;
    void run(std::span<void* const> places) override;

  private:
    const kernels::ThreadPool& threads;
    ValueIndex input;
    ValueIndex output;
    kernels::dense::NarrowShape shape;
    kernels::dense::NarrowConvolution convolution;
    std::size_t rows = 0;  ///< of the results of all samples
    std::vector<float> scratch;
};

}  // namespace et::backends::xnnpack
