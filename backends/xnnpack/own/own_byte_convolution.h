#pragma once

#include "backends/xnnpack/own/own_node.h"

#include <memory>

namespace et::backends::xnnpack {

/// Whether a node is a convolution of signed bytes of which the library needs much longer than there is to
/// do: a depthwise one; one of few channels; or, where it multiplies in tiles of AMX, one to few.
[[nodiscard]] bool isFasterByteConvolution(const Payload& payload, const PayloadNode& node,
                                           const Shapes& shapes);

/// Such a convolution: the library's bits in 0.1 to 0.8 of its time (docs/performance.md).
[[nodiscard]] std::unique_ptr<OwnNode> makeFasterByteConvolution(const OwnNode::Source& source,
                                                                 const PayloadNode& node);

}  // namespace et::backends::xnnpack
