#include "backends/lowering/node_arguments.h"
#include "backends/xnnpack/lower/operator_rows.h"
#include "backends/xnnpack/lower/part_conversion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

// Products of matrices.
namespace et::backends::xnnpack {
namespace {

using core::Result;
using etrecord::Node;
using lowering::findArgument;
using lowering::numberArgument;
using lowering::valueName;

/// Where the operators keep what is multiplied.
struct ProductNames {
    std::string_view input, weight, bias;
    bool columns;  ///< the weight has a column for each output, not a row
};

ProductNames namesOf(const Node& node) {
    if (node.op == "aten.addmm.default") {
        return {.input = "mat1", .weight = "mat2", .bias = "self", .columns = true};
    }
    if (node.op == "aten.mm.default") {
        return {.input = "self", .weight = "mat2", .bias = "", .columns = true};
    }
    return {.input = "input", .weight = "weight", .bias = "bias", .columns = false};
}

std::string productRule(const NodeQuestion& question) {
    const ProductNames names = namesOf(question.node);
    const std::string_view weight = question.operand(names.weight);
    if (!question.constants.has(weight)) {
        return fmt::format("its weight \"{}\" must be a constant", weight);
    }
    if (question.rankOf(weight) != 2) {
        return "its weight must be a matrix";
    }
    const std::string_view bias = question.operand(names.bias);
    if (bias.empty()) {
        return {};
    }
    if (!question.constants.has(bias) || question.rankOf(bias) != 1) {
        return fmt::format("its bias \"{}\" must be a constant with one dimension", bias);
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

/// Weights and biases of products in fp16 stay fp32, which the library wants of those of convolutions too.
Result<> convertProduct(PartConversion& to, const Node& node, const OperatorRow& row) {
    const ProductNames names = namesOf(node);
    const std::string_view weight = valueName(findArgument(node, names.weight));
    const std::string_view bias = valueName(findArgument(node, names.bias));
    ET_ASSIGN(const ValueIndex input, to.read(valueName(findArgument(node, names.input)), Layout::Plain));
    ET_ASSIGN(std::vector<float> elements, to.floats(weight));
    const auto sizes = to.sizesOf(weight);
    auto outputs = static_cast<std::uint32_t>(sizes[0]);
    auto channels = static_cast<std::uint32_t>(sizes[1]);
    if (names.columns) {
        elements = turned(elements, outputs, channels);
        std::swap(outputs, channels);
    }
    const ValueIndex filter = to.weights(elements, {outputs, channels}, weight);
    ValueIndex addend = noValue;
    if (!bias.empty()) {
        ET_ASSIGN(std::vector<float> biases, to.floats(bias));
        biases.resize(outputs, biases.size() == 1 ? biases.front() : 0.0F);
        addend = to.weights(biases, {outputs}, bias);
    }
    to.give(node, row.kind, {input, filter, addend});
    return {};
}

std::string stackRule(const NodeQuestion& question) {
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
     .convert = convertProduct},
    {.op = "aten.addmm.default",
     .kind = NodeKind::FullyConnected,
     .refuse = productRule,
     .convert = convertProduct},
    {.op = "aten.mm.default",
     .kind = NodeKind::FullyConnected,
     .refuse = productRule,
     .convert = convertProduct},
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
