#pragma once

#include "backends/xnnpack/custom_kernels/custom_node.h"

#include <memory>

namespace et::backends::xnnpack {

/// Whether a node is a convolution of signed bytes for which the library is much slower than necessary: a
/// depthwise one; one from few channels; or, if the library uses AMX tiles, one to few channels.
[[nodiscard]] bool isFasterByteConvolution(const Payload& payload, const PayloadNode& node,
                                           const Shapes& shapes);

/// Creates such a convolution: bit-exact with XNNPACK 20241108 in 0.1 to 0.8 of its time
/// (benchmarks/convolutions_benchmark.cpp).
[[nodiscard]] std::unique_ptr<CustomNode> makeFasterByteConvolution(const CustomNode::Source& source,
                                                                    const PayloadNode& node);

}  // namespace et::backends::xnnpack
