#include "backends/lowering/node_arguments.h"
#include "backends/xnnpack/lower/operator_arguments.h"
#include "backends/xnnpack/lower/operator_rows.h"
#include "backends/xnnpack/lower/part_conversion.h"
#include "backends/xnnpack/lower/quantizers.h"

#include <algorithm>
#include <array>

// Quantizing and dequantizing nodes.
namespace et::backends::xnnpack {
namespace {

using core::Result;
using etrecord::Node;
using lowering::findArgument;
using lowering::firstResult;
using lowering::valueName;

std::string staticRule(const NodeQuery& question) {
    if (!tensorScale(question.method, question.node)) {
        return "XNNPACK quantizes float32 to int8, with one scale per tensor";
    }
    return question.rankOf(firstResult(question.node)) == 0 ? "its tensor has no dimensions" : "";
}

Result<> convertQuantize(PartConversion& to, const Node& node, const OperatorRow& row) {
    const std::array operands{valueName(findArgument(node, "input"))};
    const Layout layout = to.commonLayout(operands);
    ET_ASSIGN(const ValueIndex input, to.read(operands[0], layout));
    to.give(node, row.kind, {input}, {.layout = layout});
    return {};
}

/// Floats are created when first read.
Result<> convertNothing(PartConversion& /*to*/, const Node& /*node*/, const OperatorRow& /*row*/) {
    return {};
}

/// Whether the reader is a product of a dynamically quantized value with constant integers.
bool isDynamicProduct(const NodeQuery& question, lowering::NodeIndex index, std::string_view value) {
    const Node& node = question.method.node(index);
    const OperatorRow* row = operatorRow(node.op);
    if (row == nullptr || row->integers != Integers::Product || !question.mayTake(index)) {
        return false;
    }
    const ProductOperands operands = productOperands(question.method, node);
    const auto weight = question.method.producer(operands.weight);
    return operands.input == value && !operands.columns && weight &&
           quantizerKind(question.method, question.method.node(*weight)) != QuantizerKind::None &&
           whyNot({.method = question.method,
                   .constants = question.constants,
                   .taken = question.taken,
                   .mayTake = question.mayTake,
                   .node = node})
               .empty();
}

/// Whether all readers of a dequantized value are such products.
bool servesProducts(const NodeQuery& question, lowering::NodeIndex dequantizer) {
    const Node& node = question.method.node(dequantizer);
    const std::string_view result = firstResult(node);
    const auto readers = question.method.users(result);
    return quantizerKind(question.method, node) == QuantizerKind::DequantizeDynamic &&
           question.mayTake(dequantizer) && !readers.empty() && !question.method.isOutput(result) &&
           !dynamicSource(question.method, result).empty() &&
           std::ranges::all_of(readers, [&](lowering::NodeIndex reader) {
               return isDynamicProduct(question, reader, result);
           });
}

/// Whether a value is only read by nodes that dequantize for such products, with a quantizing node before
/// them unless the value is `quantized`.
bool servesDequantizers(const NodeQuery& question, std::string_view value, bool quantized) {
    const auto users = question.method.users(value);
    return !users.empty() && !question.method.isOutput(value) &&
           std::ranges::all_of(users, [&](lowering::NodeIndex user) {
               const Node& node = question.method.node(user);
               const bool quantizes = quantizerKind(question.method, node) == QuantizerKind::QuantizeDynamic;
               return quantizes && !quantized
                          ? question.mayTake(user) && servesDequantizers(question, firstResult(node), true)
                          : servesProducts(question, user);
           });
}

std::string dynamicRule(const NodeQuery& question) {
    bool serves = false;
    switch (quantizerKind(question.method, question.node)) {
        case QuantizerKind::DequantizeBlocks:
            return "only constant weights can be dequantized in blocks";
        case QuantizerKind::DequantizeDynamic:
            serves = servesProducts(question, static_cast<lowering::NodeIndex>(
                                                  &question.node - question.method.graph().nodes.data()));
            break;
        case QuantizerKind::QuantizeDynamic:
            serves = servesDequantizers(question, firstResult(question.node), true);
            break;
        default:
            serves = std::ranges::all_of(question.node.outputs, [&](const etrecord::Argument& output) {
                return servesDequantizers(question, valueName(&output), false);
            });
            break;
    }
    return serves ? ""
                  : "dynamically quantized values must be inputs of products with quantized constant weights";
}

std::string channelsRule(const NodeQuery& /*question*/) {
    return "only constant weights can have a scale per channel";
}

constexpr OperatorRow dynamicRow(std::string_view op) {
    return {.op = op,
            .kind = NodeKind::Convert,
            .refuse = dynamicRule,
            .convert = convertNothing,
            .floats = false};
}

constexpr std::array quantizerTable = std::to_array<OperatorRow>({
    {.op = "quantized_decomposed.quantize_per_tensor.default",
     .kind = NodeKind::Convert,
     .refuse = staticRule,
     .convert = convertQuantize,
     .floats = false},
    {.op = "quantized_decomposed.dequantize_per_tensor.default",
     .kind = NodeKind::Convert,
     .refuse = staticRule,
     .convert = convertNothing,
     .floats = false},
    {.op = "quantized_decomposed.dequantize_per_channel.default",
     .kind = NodeKind::Convert,
     .refuse = channelsRule,
     .convert = convertNothing,
     .floats = false},
    dynamicRow("quantized_decomposed.choose_qparams.tensor"),
    dynamicRow("quantized_decomposed.quantize_per_tensor.tensor"),
    dynamicRow("quantized_decomposed.dequantize_per_tensor.tensor"),
    dynamicRow("quantized_decomposed.choose_qparams_per_token_asymmetric.default"),
    dynamicRow("quantized_decomposed.quantize_per_token.default"),
    dynamicRow("quantized_decomposed.dequantize_per_token.default"),
    dynamicRow("torchao.choose_qparams_affine.default"),
    dynamicRow("torchao.quantize_affine.default"),
    dynamicRow("torchao.dequantize_affine.default"),
});

}  // namespace

std::span<const OperatorRow> quantizerRows() {
    return quantizerTable;
}

}  // namespace et::backends::xnnpack
