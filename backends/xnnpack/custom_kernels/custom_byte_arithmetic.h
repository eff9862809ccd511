#pragma once

#include "backends/xnnpack/custom_kernels/custom_node.h"

#include <memory>

// Sums and products of two 8-bit tensors with one scale each: faster than XNNPACK 20241108
// (benchmarks/nodes_benchmark.cpp).
namespace et::backends::xnnpack {

/// Whether a node is a product of 8-bit values that makeByteMultiply() supports.
[[nodiscard]] bool isByteMultiply(const Payload& payload, const PayloadNode& node);

/// Creates such a product: bit-exact with the library on x86, where it rounds in fp32. On Arm the library
/// rounds in fixed point and computes all of these nodes.
[[nodiscard]] std::unique_ptr<CustomNode> makeByteMultiply(const CustomNode::Source& source,
                                                           const PayloadNode& node);

/// Whether a node adds or subtracts 8-bit values with similar scales, as makeByteSum() supports.
[[nodiscard]] bool isByteSum(const Payload& payload, const PayloadNode& node);

/// Creates such a sum in the library's integer arithmetic: both inputs times the ratio of their scale to the
/// output's, in fixed point with 20 bits after the larger ratio's first bit, rounded once.
[[nodiscard]] std::unique_ptr<CustomNode> makeByteSum(const CustomNode::Source& source,
                                                      const PayloadNode& node);

}  // namespace et::backends::xnnpack
