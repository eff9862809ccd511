#pragma once

#include "backends/xnnpack/custom_kernels/custom_node.h"
#include "backends/xnnpack/nodes/byte_nodes.h"
#include "runtime/kernels/quantized/byte_arithmetic.h"

#include <cstdint>
#include <span>

// Helpers for kernels of nodes with 8-bit values that have one scale per tensor.
namespace et::backends::xnnpack {

/// Whether a node has no activation or a ReLU: the library rounds other bounds differently.
[[nodiscard]] bool hasExactRange(const PayloadNode& node);

/// See byte_arithmetic.h.
[[nodiscard]] std::uint8_t flipOf(const Payload& payload, ValueIndex value);

/// The output's zero point, and the bounds from its type and the node's activation.
[[nodiscard]] kernels::quantized::ByteOutput byteOutput(const Payload& payload, const PayloadNode& node);

/// Bytes of a constant; null for a value computed or given in a run.
[[nodiscard]] const void* constantBytes(const CustomNode::Source& source, ValueIndex value);

[[nodiscard]] inline const std::uint8_t* bytesAt(std::span<void* const> places, ValueIndex value,
                                                 const void* constant) {
    return static_cast<const std::uint8_t*>(constant != nullptr ? constant : places[value]);
}

}  // namespace et::backends::xnnpack
