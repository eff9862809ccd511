#include "backends/xnnpack/lower/quantizers.h"

#include "backends/lowering/node_arguments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace et::backends::xnnpack {

using etrecord::Node;
using lowering::EdgeMethod;
using lowering::findArgument;
using lowering::firstResult;
using lowering::valueName;

namespace {

struct QuantizerName {
    std::string_view op;
    QuantizerKind kind;
};

constexpr std::array names = std::to_array<QuantizerName>({
    {.op = "quantized_decomposed.quantize_per_tensor.default", .kind = QuantizerKind::Quantize},
    {.op = "quantized_decomposed.dequantize_per_tensor.default", .kind = QuantizerKind::Dequantize},
    {.op = "quantized_decomposed.dequantize_per_channel.default", .kind = QuantizerKind::DequantizeChannels},
    {.op = "quantized_decomposed.choose_qparams.tensor", .kind = QuantizerKind::ChooseDynamic},
    {.op = "quantized_decomposed.quantize_per_tensor.tensor", .kind = QuantizerKind::QuantizeDynamic},
    {.op = "quantized_decomposed.dequantize_per_tensor.tensor", .kind = QuantizerKind::DequantizeDynamic},
    {.op = "quantized_decomposed.choose_qparams_per_token_asymmetric.default",
     .kind = QuantizerKind::ChooseDynamic},
    {.op = "quantized_decomposed.quantize_per_token.default", .kind = QuantizerKind::QuantizeDynamic},
    {.op = "quantized_decomposed.dequantize_per_token.default", .kind = QuantizerKind::DequantizeDynamic},
    {.op = "torchao.choose_qparams_affine.default", .kind = QuantizerKind::ChooseDynamic},
    {.op = "torchao.quantize_affine.default", .kind = QuantizerKind::QuantizeDynamic},
    {.op = "torchao.dequantize_affine.default", .kind = QuantizerKind::DequantizeBlocks},
});

bool isOf(const EdgeMethod& method, std::string_view value, core::ScalarType type) {
    const auto* meta = method.meta(value);
    return meta != nullptr && meta->scalarType == std::to_underlying(type);
}

const Node* producerOf(const EdgeMethod& method, std::string_view value) {
    const auto producer = method.producer(value);
    return producer ? &method.node(*producer) : nullptr;
}

}  // namespace

QuantizerKind quantizerKind(const EdgeMethod& method, const Node& node) {
    const auto* const found = std::ranges::find(names, node.op, &QuantizerName::op);
    if (found == names.end()) {
        return QuantizerKind::None;
    }
    if (found->kind == QuantizerKind::DequantizeBlocks) {
        const Node* before = producerOf(method, valueName(findArgument(node, "input")));
        return before != nullptr && quantizerKind(method, *before) == QuantizerKind::QuantizeDynamic
                   ? QuantizerKind::DequantizeDynamic
                   : found->kind;
    }
    return found->kind;
}

std::optional<PerTensorQuantization> tensorScale(const EdgeMethod& method, const Node& node) {
    const QuantizerKind kind = quantizerKind(method, node);
    if (kind != QuantizerKind::Quantize && kind != QuantizerKind::Dequantize) {
        return std::nullopt;
    }
    const bool quantizes = kind == QuantizerKind::Quantize;
    const std::string_view input = valueName(findArgument(node, "input"));
    const std::string_view result = firstResult(node);
    const auto scale = lowering::numberArgument(node, "scale");
    const auto zeroPoint = lowering::integerArgument(node, "zero_point");
    const bool isInt8 = isOf(method, quantizes ? result : input, core::ScalarType::Char) &&
                        isOf(method, quantizes ? input : result, core::ScalarType::Float);
    constexpr std::int64_t low = std::numeric_limits<std::int8_t>::min();
    constexpr std::int64_t high = std::numeric_limits<std::int8_t>::max();
    if (!isInt8 || !scale || !std::isnormal(static_cast<float>(*scale)) || *scale <= 0 || !zeroPoint ||
        *zeroPoint < low || *zeroPoint > high) {
        return std::nullopt;
    }
    return PerTensorQuantization{.scale = static_cast<float>(*scale),
                                 .zeroPoint = static_cast<std::int32_t>(*zeroPoint)};
}

std::string_view quantizedSource(const EdgeMethod& method, std::string_view value) {
    const Node* node = producerOf(method, value);
    const bool is = node != nullptr && quantizerKind(method, *node) == QuantizerKind::Dequantize &&
                    tensorScale(method, *node);
    return is ? valueName(findArgument(*node, "input")) : std::string_view();
}

std::string_view dynamicSource(const EdgeMethod& method, std::string_view value) {
    const Node* back = producerOf(method, value);
    if (back == nullptr || quantizerKind(method, *back) != QuantizerKind::DequantizeDynamic) {
        return {};
    }
    const Node* forth = producerOf(method, valueName(findArgument(*back, "input")));
    const Node* choice = producerOf(method, valueName(findArgument(*back, "scale")));
    if (forth == nullptr || choice == nullptr ||
        quantizerKind(method, *forth) != QuantizerKind::QuantizeDynamic ||
        quantizerKind(method, *choice) != QuantizerKind::ChooseDynamic) {
        return {};
    }
    const std::string_view source = valueName(findArgument(*forth, "input"));
    const bool same = valueName(findArgument(*forth, "scale")) == valueName(findArgument(*back, "scale")) &&
                      valueName(findArgument(*choice, "input")) == source &&
                      isOf(method, firstResult(*forth), core::ScalarType::Char);
    return same ? source : std::string_view();
}

}  // namespace et::backends::xnnpack
