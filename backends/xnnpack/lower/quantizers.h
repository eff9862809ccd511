#pragma once

#include "backends/lowering/edge_method.h"
#include "backends/xnnpack/payload/payload.h"

#include <cstdint>
#include <optional>
#include <string_view>

// Nodes that quantize and dequantize, as exporters' quantizers write them.
namespace et::backends::xnnpack {

enum class QuantizerKind : std::uint8_t {
    None,                ///< another node
    Quantize,            ///< of a tensor, with numbers that the node has
    Dequantize,          ///< likewise
    DequantizeChannels,  ///< with a scale a channel, which is a tensor
    DequantizeBlocks,    ///< with a scale a block, which is a tensor
    ChooseDynamic,       ///< finds scale and zero point in each run
    QuantizeDynamic,     ///< with what such a node found
    DequantizeDynamic    ///< likewise
};

/// The kind of a node by its operator. A node that dequantizes blocks is dynamic where another quantized
/// them.
[[nodiscard]] QuantizerKind quantizerKind(const lowering::EdgeMethod& method, const etrecord::Node& node);

/// Scale and zero point of a node that quantizes or dequantizes a tensor to or from int8; nothing of all
/// others.
[[nodiscard]] std::optional<PerTensorQuantization> tensorScale(const lowering::EdgeMethod& method,
                                                               const etrecord::Node& node);

/// The int8 value that a value is dequantized from, with one scale; empty where it is not.
[[nodiscard]] std::string_view quantizedSource(const lowering::EdgeMethod& method, std::string_view value);

/// The float value that a value is, once it was quantized dynamically and dequantized; empty where it is not.
[[nodiscard]] std::string_view dynamicSource(const lowering::EdgeMethod& method, std::string_view value);

}  // namespace et::backends::xnnpack
