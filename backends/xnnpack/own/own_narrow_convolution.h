#pragma once

#include "backends/xnnpack/own/own_node.h"

#include <memory>

namespace et::backends::xnnpack {

/// Whether a node is a convolution of fp32, not in groups, to so few channels that the library computes more
/// of them than there are, with enough to do for that to count.
[[nodiscard]] bool isNarrowConvolution(const Payload& payload, const PayloadNode& node, const Shapes& shapes);

/// Such a convolution: the library's bits in 0.53 to 0.7 of its time (docs/performance.md).
[[nodiscard]] std::unique_ptr<OwnNode> makeNarrowConvolution(const OwnNode::Source& source,
                                                             const PayloadNode& node);

}  // namespace et::backends::xnnpack
