#pragma once

#include "backends/lowering/edge_method.h"
#include "backends/xnnpack/payload/payload.h"

#include <cstdint>
#include <optional>
#include <string_view>

// Quantizing and dequantizing nodes, as written by exporters' quantizers.
namespace et::backends::xnnpack {

enum class QuantizerKind : std::uint8_t {
    None,                ///< another node
    Quantize,            ///< per tensor, with parameters in the node
    Dequantize,          ///< likewise
    DequantizeChannels,  ///< per channel, with a tensor of scales
    DequantizeBlocks,    ///< per block, with a tensor of scales
    ChooseDynamic,       ///< computes scale and zero point in each run
    QuantizeDynamic,     ///< with parameters from such a node
    DequantizeDynamic    ///< likewise
};

/// The kind of a node by its operator. A node that dequantizes blocks is dynamic if its input was quantized
/// by another node.
[[nodiscard]] QuantizerKind quantizerKind(const lowering::EdgeMethod& method, const etrecord::Node& node);

/// Scale and zero point of a node that quantizes a tensor to int8 or dequantizes it from int8; nothing for
/// all others.
[[nodiscard]] std::optional<PerTensorQuantization> tensorScale(const lowering::EdgeMethod& method,
                                                               const etrecord::Node& node);

/// The int8 value that a value is dequantized from with a single scale; empty if none.
[[nodiscard]] std::string_view quantizedSource(const lowering::EdgeMethod& method, std::string_view value);

/// The float value that was dynamically quantized and dequantized to give a value; empty if none.
[[nodiscard]] std::string_view dynamicSource(const lowering::EdgeMethod& method, std::string_view value);

}  // namespace et::backends::xnnpack
