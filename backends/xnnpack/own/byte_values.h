#pragma once

#include "backends/xnnpack/own/own_node.h"
#include "runtime/kernels/quantized/byte_arithmetic.h"

#include <cstdint>
#include <span>

// What nodes of 8-bit values with one scale a tensor have in common.
namespace et::backends::xnnpack {

/// Whether it is QInt8 or QUInt8 with one scale.
[[nodiscard]] bool isByteTensor(const PayloadValue& value);

/// Whether all inputs and outputs of a node are QInt8, or all QUInt8.
[[nodiscard]] bool areBytesOfOneType(const Payload& payload, const PayloadNode& node);

/// Whether a node has no activation or a ReLU: the library rounds other bounds in a way of its own.
[[nodiscard]] bool hasExactRange(const PayloadNode& node);

/// Of a value of which areBytesOfOneType() is known.
[[nodiscard]] const PerTensorQuantization& byteParameters(const Payload& payload, ValueIndex value);

/// As in byte_arithmetic.h.
[[nodiscard]] std::uint8_t flipOf(const Payload& payload, ValueIndex value);

/// The output's zero point, and the bounds of its type and of the node's activation.
[[nodiscard]] kernels::quantized::ByteOutput byteOutput(const Payload& payload, const PayloadNode& node);

/// A constant's bytes, or null for what a run computes or is given.
[[nodiscard]] const void* constantBytes(const OwnNode::Source& source, ValueIndex value);

[[nodiscard]] inline const std::uint8_t* bytesAt(std::span<void* const> places, ValueIndex value,
                                                 const void* constant) {
    return static_cast<const std::uint8_t*>(constant != nullptr ? constant : places[value]);
}

}  // namespace et::backends::xnnpack
