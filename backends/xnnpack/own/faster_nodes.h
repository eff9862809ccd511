#pragma once

#include "backends/xnnpack/nodes/shapes.h"
#include "backends/xnnpack/own/own_node.h"
#include "backends/xnnpack/payload/payload.h"

#include <cstddef>
#include <memory>

namespace et::backends::xnnpack {

/// Whether we compute a node of the library so much faster than it does that a graph in parts is worth it:
/// up-convolutions with one thread (own_up_convolution.h), which give the same but for rounding; and to the
/// same bit, images of bytes that come channels first (own_interleave.h) and, on x86 with AVX2 or more:
/// convolutions to few channels (own_narrow_convolution.h), those of bytes that the library is slow at
/// (own_byte_convolution.h), products with 4-bit weights in blocks (own_block_product.h), products and sums
/// of bytes (own_multiply.h, own_sum.h) and tables (own_table.h).
[[nodiscard]] bool isFasterByUs(const Payload& payload, const PayloadNode& node, const Shapes& shapes,
                                std::size_t threads);

/// Such a node. Errors: as those of its kind.
[[nodiscard]] core::Result<std::unique_ptr<OwnNode>> makeFasterNode(const OwnNode::Source& source,
                                                                    const PayloadNode& node);

}  // namespace et::backends::xnnpack
