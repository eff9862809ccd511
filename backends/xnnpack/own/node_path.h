#pragma once

#include "backends/xnnpack/payload/payload.h"

#include <cstdint>
#include <vector>

namespace et::backends::xnnpack {

/// Who computes a node, so that its result is what PyTorch's is.
enum class NodePath : std::uint8_t {
    Library,  ///< the library, as the payload says
    /// The library in fp32, rounded to fp16 at the end. Its own fp16 operators round after each addition, or
    /// approximate functions to half of what fp16 holds.
    LibraryInFloat,
    /// We do, see own_node.h: products in fp16, of which the order of sums decides the last bit, and dynamic
    /// quantization of fp16 or bfloat16 with the products of it, of which PyTorch rounds scales and
    /// dequantized numbers to that type; and sums of scales that the library refuses (own_sum.h).
    Own,
    /// We do, with one scale for the whole input, as PyTorch had it. The payload says a scale a row for this,
    /// too. What tells is the debug handles: the quantizer of PyTorch's XNNPACK recipe
    /// (choose_qparams.tensor) leaves quantization and dequantization one handle, so that the product has the
    /// next one, or none; what quantizes by row (torchao) has a handle for each operator, or one for all.
    /// Only for 4-bit weights with a scale a channel: of 8-bit ones the library's fast product is kept, by
    /// row, which is finer than PyTorch's.
    OwnWhole,
    /// We do, because the library takes much longer to the same result (faster_nodes.h).
    OwnFaster,
};

[[nodiscard]] constexpr bool isOwn(NodePath path) {
    return path == NodePath::Own || path == NodePath::OwnWhole || path == NodePath::OwnFaster;
}

/// By index into Payload::nodes, without OwnFaster. `widenHalf`: all of fp16 is computed as fp32.
[[nodiscard]] std::vector<NodePath> pathsOf(const Payload& payload, bool widenHalf);

}  // namespace et::backends::xnnpack
