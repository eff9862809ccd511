#pragma once

#include "backends/xnnpack/custom_kernels/custom_node.h"
#include "backends/xnnpack/nodes/shapes.h"
#include "backends/xnnpack/payload/payload.h"

#include <cstddef>
#include <memory>

namespace et::backends::xnnpack {

/// Whether a custom kernel is so much faster than the library that splitting the library's graph is worth it.
/// Equal except for rounding: up-convolutions with one thread (custom_up_convolution.h). Bit-exact: byte
/// images in channels-first order and, on x86 with AVX2 or more: convolutions to few
/// channels (custom_float_convolution.h), byte convolutions that are slow in the library
/// (custom_byte_convolution.h), products with blockwise 4-bit weights (custom_block_product.h), products and
/// sums of bytes (custom_byte_arithmetic.h) and tables (custom_table.h).
[[nodiscard]] bool isFasterByUs(const Payload& payload, const PayloadNode& node, const Shapes& shapes,
                                std::size_t threads);

/// Creates such a node. Errors: those of its kind.
[[nodiscard]] core::Result<std::unique_ptr<CustomNode>> makeFasterNode(const CustomNode::Source& source,
                                                                       const PayloadNode& node);

}  // namespace et::backends::xnnpack
