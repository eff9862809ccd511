#include "backends/native/lower/constant_edits.h"
#include "backends/native/lower/kept_quantization.h"
#include "runtime/native/quantized.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

// Linear layers with integer weights whose operands are quantized in each run, as torchao's
// Int8DynamicActivationIntxWeightConfig exports them.
namespace et::backends::native {
namespace {

namespace source = et::native;
using core::Result;
using core::ScalarType;

constexpr std::int64_t libraryBlock = 32;  // XNNPACK's block sizes are multiples of it

source::Argument integerArgument(std::string name, std::int64_t number) {
    return {.name = std::move(name), .value = source::IntOrName{.value = number}};
}

source::Argument int8Argument(std::string name) {
    return {.name = std::move(name),
            .value = source::ScalarTypeCode{static_cast<std::int8_t>(ScalarType::Char)}};
}

source::Argument blockArgument(std::size_t rank, std::int64_t last) {
    std::vector<source::IntOrName> block(rank, source::IntOrName{.value = 1});
    block.back().value = last;
    return {.name = "block_size", .value = std::move(block)};
}

source::Argument tensorArgumentOf(std::string name, const std::string& tensor) {
    return {.name = std::move(name), .value = source::TensorName{tensor}};
}

/// Adds nodes that quantize a value to 8 bits with a scale for each row, and dequantize it.
class OperandNodes {
  public:
    OperandNodes(source::Method& in, std::vector<source::Node>& to, std::string value)
        : method(in), nodes(to), operand(std::move(value)) {}

    /// The dequantized value.
    std::string add() {
        const source::TensorMeta meta = *method.tensor(operand);
        const std::size_t rank = meta.sizes.size();
        const source::Argument block = blockArgument(rank, meta.sizes.back().minimum);
        source::TensorMeta rows{.sizes = {meta.sizes.begin(), meta.sizes.end() - 1}};
        const std::string scale = addValue("_scale", ScalarType::Float, rows);
        const std::string zero = addValue("_zero_point", ScalarType::Char, rows);
        const std::string integers = addValue("_int8", ScalarType::Char, meta);
        const std::string result = addValue("_dequantized", ScalarType::Float, meta);
        const auto parameters = [&](const std::string& input, std::string dtype) {
            return std::vector<source::Argument>{
                tensorArgumentOf("input", input),  block,
                tensorArgumentOf("scale", scale),  tensorArgumentOf("zero_point", zero),
                int8Argument(std::move(dtype)),    integerArgument("quant_min", low),
                integerArgument("quant_max", high)};
        };
        addNode("torch.ops.torchao.choose_qparams_affine.default",
                {tensorArgumentOf("input", operand),
                 {.name = "mapping_type", .value = std::string("ASYMMETRIC")},
                 block,
                 int8Argument("target_dtype"),
                 integerArgument("quant_min", low),
                 integerArgument("quant_max", high),
                 {.name = "eps"},
                 {.name = "scale_dtype"},
                 int8Argument("zero_point_dtype")},
                {scale, zero});
        addNode("torch.ops.torchao.quantize_affine.default", parameters(operand, "output_dtype"), {integers});
        addNode("torch.ops.torchao.dequantize_affine.default", parameters(integers, "input_dtype"), {result});
        return result;
    }

  private:
    static constexpr std::int64_t low = std::numeric_limits<std::int8_t>::min();
    static constexpr std::int64_t high = std::numeric_limits<std::int8_t>::max();

    std::string addValue(const char* ending, ScalarType type, source::TensorMeta meta) {
        meta.scalarType = static_cast<std::int8_t>(type);
        meta.dimOrder.clear();
        std::string name = newName(method, operand + ending);
        method.graph.tensors.insert_or_assign(name, std::move(meta));
        return name;
    }

    void addNode(const char* target, std::vector<source::Argument> inputs,
                 const std::vector<std::string>& results) {
        source::Node node{.name = results.front(), .target = target, .inputs = std::move(inputs)};
        for (const std::string& each : results) {
            node.outputs.push_back({.kind = source::Output::Kind::Tensor, .name = each});
        }
        nodes.push_back(std::move(node));
    }

    source::Method& method;
    std::vector<source::Node>& nodes;
    std::string operand;
};

/// The operand of a linear layer with this weight; null for another node.
source::TensorName* operandOf(source::Node& node, const std::string& weight) {
    if (node.target != "torch.ops.aten.linear.default" || node.inputs.size() < 2) {
        return nullptr;
    }
    const auto* const read = std::get_if<source::TensorName>(&node.inputs[1].value);
    return read != nullptr && read->name == weight ? std::get_if<source::TensorName>(&node.inputs[0].value)
                                                   : nullptr;
}

/// Whether the operands of all layers with this weight are float matrices with rows of known length.
bool haveRows(source::Method& method, const std::string& weight) {
    return std::ranges::all_of(method.graph.nodes, [&](source::Node& node) {
        const source::TensorName* const operand = operandOf(node, weight);
        const source::TensorMeta* const meta = operand == nullptr ? nullptr : method.tensor(operand->name);
        return operand == nullptr ||
               (meta != nullptr && meta->scalarType == static_cast<std::int8_t>(ScalarType::Float) &&
                !meta->sizes.empty() && !meta->sizes.back().isDynamic());
    });
}

void quantizeOperands(source::Method& method, const std::string& weight) {
    std::vector<source::Node> nodes;
    for (source::Node& node : std::exchange(method.graph.nodes, {})) {
        if (source::TensorName* const operand = operandOf(node, weight)) {
            operand->name = OperandNodes(method, nodes, operand->name).add();
        }
        nodes.push_back(std::move(node));
    }
    method.graph.nodes = std::move(nodes);
}

template <class T>
std::vector<std::byte> bytesOf(const std::vector<T>& numbers) {
    const auto bytes = std::as_bytes(std::span(numbers));
    return {bytes.begin(), bytes.end()};
}

}  // namespace

/// Stores the integers minus their zero points, and the scales as floats. False: XNNPACK cannot represent
/// them.
Result<bool> KeptQuantization::addIntegers(const source::Constant& constant,
                                           const source::AffineGroups& groups, std::size_t group) {
    const auto data = find(constant.key);
    if (!data) {
        return core::fail(core::ErrorCode::NotFound, "its data are missing");
    }
    ET_ASSIGN(const std::vector<std::int32_t> stored, source::quantizedIntegers(constant.meta, data->data));
    const std::size_t count = stored.size() / group;
    ET_ASSIGN(const std::vector<double> zeros, zeroPointsOf(groups, count));
    const auto given = find(groups.scaleKey);
    const std::vector<double> numbers =
        given ? source::firstNumbers(groups.scaleType, given->data, count) : std::vector<double>();
    if (numbers.size() != count) {
        return core::fail(core::ErrorCode::NotFound, "its scales are missing");
    }
    std::vector<float> scales;
    for (const double number : numbers) {
        scales.push_back(static_cast<float>(number));
    }
    constexpr double lowest = -8;
    constexpr double highest = 7;
    std::vector<std::int8_t> integers;
    for (std::size_t i = 0; i < stored.size(); ++i) {
        const double value = stored[i] - zeros[i / group];
        if (value != std::floor(value) || value < lowest || value > highest) {
            return false;
        }
        integers.push_back(static_cast<std::int8_t>(value));
    }
    if (!std::ranges::all_of(scales, [](float scale) { return std::isnormal(scale) && scale > 0; })) {
        return false;
    }
    made[constant.key + ".integers"] = bytesOf(integers);
    made[constant.key + ".scales"] = bytesOf(scales);
    made[constant.key + ".zero_points"] = std::vector<std::byte>(count);
    return true;
}

Result<> KeptQuantization::keepIntegers(source::Method& method, std::size_t index) {
    const source::Constant constant = method.constants[index];
    const auto sizes = matrixSizes(constant.meta);
    const auto* const groups = std::get_if<source::AffineGroups>(&constant.meta.quantization);
    if (!sizes || groups == nullptr || constant.isMutable || !isLinearWeight(method.graph, constant.name) ||
        !haveRows(method, constant.name)) {
        return {};
    }
    const auto [rows, columns] = *sizes;
    constexpr unsigned bits = 4;
    const std::size_t group = groups->groupSize == 0 ? columns : static_cast<std::size_t>(groups->groupSize);
    if (source::bitsOf(*groups) != bits || columns % 2 != 0 || columns % group != 0 ||
        (group != columns && group % libraryBlock != 0)) {
        return {};
    }
    ET_ASSIGN(const bool isAdded, addIntegers(constant, *groups, group));
    if (!isAdded) {
        return {};
    }
    quantizeOperands(method, constant.name);
    Replacement replacement(method, index);
    replacement.add("input", constant.key + ".integers", metaOf(ScalarType::Char, {rows, columns}));
    replacement.add(blockArgument(2, static_cast<std::int64_t>(group)));
    replacement.add("scale", constant.key + ".scales", metaOf(ScalarType::Float, {rows, columns / group}));
    replacement.add("zero_point", constant.key + ".zero_points",
                    metaOf(ScalarType::Char, {rows, columns / group}));
    replacement.add(int8Argument("input_dtype"));
    replacement.add(integerArgument("quant_min", -8));
    replacement.add(integerArgument("quant_max", 7));
    replacement.finish("torch.ops.torchao.dequantize_affine.default", ScalarType::Float, rows, columns);
    return {};
}

}  // namespace et::backends::native
