#pragma once

#include "backends/xnnpack/custom_kernels/custom_node.h"

#include <memory>

namespace et::backends::xnnpack {

/// Whether a node is a depthwise float convolution with one output per channel that ImageDepthwise computes
/// faster than XNNPACK 20241108 (benchmarks/convolutions_benchmark.cpp).
[[nodiscard]] bool isFloatDepthwise(const Payload& payload, const PayloadNode& node, const Shapes& shapes);

/// Errors: Limit.
[[nodiscard]] core::Result<std::unique_ptr<CustomNode>> makeFloatDepthwise(const CustomNode::Source& source,
                                                                           const PayloadNode& node);

}  // namespace et::backends::xnnpack
