#pragma once

#include "backends/xnnpack/custom_kernels/custom_node.h"

#include <memory>

// Float convolutions that are faster than XNNPACK 20241108 (benchmarks/convolutions_benchmark.cpp).
namespace et::backends::xnnpack {

/// Whether a node is an ungrouped fp32 convolution to so few channels that the library computes surplus ones,
/// and is large enough to matter.
[[nodiscard]] bool isNarrowConvolution(const Payload& payload, const PayloadNode& node, const Shapes& shapes);

/// Creates such a convolution: bit-exact with the library in 0.53 to 0.7 of its time.
[[nodiscard]] std::unique_ptr<CustomNode> makeNarrowConvolution(const CustomNode::Source& source,
                                                                const PayloadNode& node);

/// Whether a node is a depthwise float convolution with one output per channel that ImageDepthwise computes
/// faster.
[[nodiscard]] bool isFloatDepthwise(const Payload& payload, const PayloadNode& node, const Shapes& shapes);

/// Errors: Limit.
[[nodiscard]] core::Result<std::unique_ptr<CustomNode>> makeFloatDepthwise(const CustomNode::Source& source,
                                                                           const PayloadNode& node);

}  // namespace et::backends::xnnpack
