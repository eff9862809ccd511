#pragma once

#include "backends/xnnpack/custom_kernels/custom_node.h"

#include <memory>

namespace et::backends::xnnpack {

/// Whether a node is an ungrouped fp32 convolution to so few channels that the library computes surplus ones,
/// and is large enough to matter.
[[nodiscard]] bool isNarrowConvolution(const Payload& payload, const PayloadNode& node, const Shapes& shapes);

/// Creates such a convolution: bit-exact with XNNPACK 20241108 in 0.53 to 0.7 of its time
/// (benchmarks/convolutions_benchmark.cpp).
[[nodiscard]] std::unique_ptr<CustomNode> makeNarrowConvolution(const CustomNode::Source& source,
                                                                const PayloadNode& node);

}  // namespace et::backends::xnnpack
