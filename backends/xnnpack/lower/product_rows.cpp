#include "backends/lowering/node_arguments.h"
#include "backends/xnnpack/lower/folded_weights.h"
#include "backends/xnnpack/lower/operator_arguments.h"
#include "backends/xnnpack/lower/operator_rows.h"
#include "backends/xnnpack/lower/part_conversion.h"
#include "backends/xnnpack/lower/quantizers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

// Matrix products.
namespace et::backends::xnnpack {
namespace {

using core::Result;
using etrecord::Node;
using lowering::findArgument;
using lowering::firstResult;
using lowering::numberArgument;
using lowering::valueName;

std::string productRule(const NodeQuery& question) {
    const ProductOperands operands = productOperands(question.method, question.node);
    if (!question.constants.has(operands.weight)) {
        return fmt::format("its weight \"{}\" must be a constant", operands.weight);
    }
    if (question.rankOf(operands.weight) != 2) {
        return "its weight must be a matrix";
    }
    if (operands.bias.empty()) {
        return {};
    }
    if (!question.constants.has(operands.bias) || question.rankOf(operands.bias) != 1) {
        return fmt::format("its bias \"{}\" must be a constant with one dimension", operands.bias);
    }
    const bool plain = numberArgument(question.node, "alpha").value_or(1) == 1 &&
                       numberArgument(question.node, "beta").value_or(1) == 1;
    return plain ? "" : "alpha and beta must be 1";
}

std::vector<float> turned(const std::vector<float>& matrix, std::size_t rows, std::size_t columns) {
    std::vector<float> out(matrix.size());
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t column = 0; column < columns; ++column) {
            out[column * rows + row] = matrix[row * columns + column];
        }
    }
    return out;
}

/// The bias as floats, one per output; empty if there is none. Errors: those of PartConversion::floats().
Result<std::vector<float>> biasOf(PartConversion& to, const ProductOperands& operands,
                                  std::uint32_t outputs) {
    if (operands.bias.empty()) {
        return std::vector<float>();
    }
    ET_ASSIGN(std::vector<float> bias, to.constants().floats(operands.bias));
    bias.resize(outputs, bias.size() == 1 ? bias.front() : 0.0F);
    return bias;
}

Result<> convertInteger(PartConversion& to, const Node& node, const ProductOperands& operands,
                        const QuantizedWeight& weight) {
    constexpr std::array<std::uint8_t, 2> asItIs{0, 1};
    const std::string_view source = dynamicSource(to.graph().edge(), operands.input);
    const auto outputs = static_cast<std::uint32_t>(to.graph().sizesOf(operands.weight)[0]);
    ET_ASSIGN(const ValueIndex input, source.empty() ? to.read(operands.input, Layout::Plain)
                                                     : to.readDynamic(node, source, Layout::Plain, 1));
    ET_ASSIGN(const ValueIndex filter, to.constants().integerFilter(weight, asItIs, 0));
    ET_ASSIGN(const std::vector<float> bias, biasOf(to, operands, outputs));
    ValueIndex addend = noValue;
    if (!bias.empty()) {
        addend = source.empty() ? to.constants().integerBias(bias, to.graph().scaleOf(operands.input).scale,
                                                             weight.scales, operands.bias)
                                : to.constants().weights(bias, {outputs}, operands.bias);
    }
    to.give(node, NodeKind::FullyConnected, {input, filter, addend});
    return {};
}

/// Weights and biases have the input's type, except that the library requires fp32 for those of fp16
/// convolutions and for biases of bfloat16 products.
Result<> convertProduct(PartConversion& to, const Node& node, const OperatorRow& row) {
    const ProductOperands operands = productOperands(to.graph().edge(), node);
    if (to.hasIntegers() || !dynamicSource(to.graph().edge(), operands.input).empty()) {
        ET_ASSIGN(const auto weight, to.constants().integerWeight(operands.weight, operands.outputDim));
        if (weight) {
            return convertInteger(to, node, operands, *weight);
        }
    }
    ET_ASSIGN(const ValueIndex input, to.read(operands.input, Layout::Plain));
    ET_ASSIGN(std::vector<float> elements, to.constants().floats(operands.weight));
    const auto sizes = to.graph().sizesOf(operands.weight);
    auto outputs = static_cast<std::uint32_t>(sizes[0]);
    auto channels = static_cast<std::uint32_t>(sizes[1]);
    if (operands.columns) {
        elements = turned(elements, outputs, channels);
        std::swap(outputs, channels);
    }
    FoldedWeights folded{.sizes = {outputs, channels, 1, 1}, .weight = std::move(elements)};
    ET_ASSIGN(folded.bias, biasOf(to, operands, outputs));
    std::string_view result = firstResult(node);
    if (node.op == "aten.linear.default" && to.graph().sizesOf(result).size() == 2) {
        ET_ASSIGN(result, foldNorm(to, node, folded));
    }
    const Datatype type = to.graph().datatypeOf(operands.input);
    const ValueIndex filter =
        to.constants().weights(folded.weight, {outputs, channels}, operands.weight, type);
    const std::string hint =
        operands.bias.empty() ? fmt::format("{}.bias", operands.weight) : std::string(operands.bias);
    const Datatype biasType = type == Datatype::BFloat16 ? Datatype::Fp32 : type;
    const ValueIndex addend =
        folded.bias.empty() ? noValue : to.constants().weights(folded.bias, {outputs}, hint, biasType);
    to.give(node, row.kind, {input, filter, addend}, {.result = result});
    return {};
}

std::string stackRule(const NodeQuery& question) {
    const bool stacks =
        question.rankOf(question.operand("self")) == 3 && question.rankOf(question.operand("mat2")) == 3;
    return stacks ? "" : "its operands must have three dimensions";
}

Result<> convertStack(PartConversion& to, const Node& node, const OperatorRow& row) {
    ET_ASSIGN(const ValueIndex left, to.read(valueName(findArgument(node, "self")), Layout::Plain));
    ET_ASSIGN(const ValueIndex right, to.read(valueName(findArgument(node, "mat2")), Layout::Plain));
    to.give(node, row.kind, {left, right});
    return {};
}

constexpr std::array productTable = std::to_array<OperatorRow>({
    {.op = "aten.linear.default",
     .kind = NodeKind::FullyConnected,
     .refuse = productRule,
     .convert = convertProduct,
     .integers = Integers::Product,
     .brainFloats = true},
    {.op = "aten.addmm.default",
     .kind = NodeKind::FullyConnected,
     .refuse = productRule,
     .convert = convertProduct,
     .integers = Integers::Product,
     .brainFloats = true},
    {.op = "aten.mm.default",
     .kind = NodeKind::FullyConnected,
     .refuse = productRule,
     .convert = convertProduct,
     .integers = Integers::Product,
     .brainFloats = true},
    {.op = "aten.bmm.default",
     .kind = NodeKind::BatchMatrixMultiply,
     .refuse = stackRule,
     .convert = convertStack},
});

}  // namespace

std::span<const OperatorRow> productRows() {
    return productTable;
}

}  // namespace et::backends::xnnpack
