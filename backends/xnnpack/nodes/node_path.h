#pragma once

#include "backends/xnnpack/payload/payload.h"

#include <cstdint>
#include <vector>

namespace et::backends::xnnpack {

/// Implementation that computes a node, chosen so that results match PyTorch's.
enum class NodePath : std::uint8_t {
    Library,  ///< the library, as specified in the payload
    /// The library in fp32, rounded to fp16 at the end. Its fp16 operators round after each addition, or
    /// approximate functions to half of fp16's precision.
    LibraryInFloat,
    /// A custom kernel, see custom_node.h: products in fp16, whose last bit depends on the order of sums;
    /// dynamic quantization of fp16 or bfloat16 and the products of it, for which PyTorch rounds scales and
    /// dequantized numbers to that type; and sums of scales that the library rejects
    /// (custom_byte_arithmetic.h).
    Own,
    /// A custom kernel with one scale for the whole input, as in PyTorch. The payload specifies a scale per
    /// row for this too; the debug handles tell them apart: the quantizer of PyTorch's XNNPACK recipe
    /// (choose_qparams.tensor) gives quantization and dequantization one handle, so that the product has the
    /// next one, or none; row-wise quantization (torchao) has a handle for each operator, or one for all.
    /// Only for 4-bit weights with a scale per channel: for 8-bit weights the library's fast row-wise product
    /// is kept, which is more precise than PyTorch's.
    CustomWhole,
    /// A custom kernel, because the library takes much longer for the same result (faster_nodes.h).
    CustomFaster,
};

[[nodiscard]] constexpr bool isOwn(NodePath path) {
    return path == NodePath::Own || path == NodePath::CustomWhole || path == NodePath::CustomFaster;
}

/// By index into Payload::nodes, without CustomFaster. `widenHalf`: all fp16 is computed as fp32.
[[nodiscard]] std::vector<NodePath> pathsOf(const Payload& payload, bool widenHalf);

}  // namespace et::backends::xnnpack
