#include "backends/lowering/node_arguments.h"
#include "backends/lowering/permute_elements.h"
#include "backends/reference/node_values.h"
#include "backends/xnnpack/lower/operator_arguments.h"
#include "backends/xnnpack/lower/operator_rows.h"
#include "backends/xnnpack/lower/part_conversion.h"
#include "backends/xnnpack/lower/quantizers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

// Int8 computation in a part: its nodes, operands and weights.
namespace et::backends::xnnpack {

using core::Result;
using etrecord::Node;
using lowering::firstResult;

namespace {

bool isSame(const PerTensorQuantization& left, const PerTensorQuantization& right) {
    return left.scale == right.scale && left.zeroPoint == right.zeroPoint;
}

std::uint16_t brainFloat(float number) {
    constexpr unsigned shift = 16;
    constexpr std::uint32_t half = 0x7FFF;
    const auto bits = std::bit_cast<std::uint32_t>(number);
    return static_cast<std::uint16_t>((bits + half + (bits >> shift & 1U)) >> shift);
}

/// Names of the tensors read by a node.
std::vector<std::string_view> operandsOf(const Node& node) {
    std::vector<std::string_view> operands;
    for (const auto& argument : node.inputs) {
        if (argument.kind.contains("tensor")) {
            reference::forNames(argument, [&](const std::string& name) { operands.emplace_back(name); });
        }
    }
    return operands;
}

}  // namespace

bool PartConversion::isInside(std::string_view value) const {
    const auto producer = method.producer(value);
    return producer && inside[*producer];
}

/// The int8 value that a value is dequantized from, in the part or before the program runs; empty if none.
std::string_view PartConversion::sourceOf(std::string_view value) const {
    return isInside(value) || constants.has(value) ? quantizedSource(method, value) : std::string_view();
}

/// The scale of an int8 value: from the node that produces it, otherwise from a reader.
std::optional<PerTensorQuantization> PartConversion::quantizationOf(std::string_view value) const {
    if (const auto producer = method.producer(value)) {
        if (const auto scale = tensorScale(method, method.node(*producer))) {
            return scale;
        }
    }
    for (const NodeIndex user : method.users(value)) {
        if (const auto scale = tensorScale(method, method.node(user))) {
            return scale;
        }
    }
    return std::nullopt;
}

PerTensorQuantization PartConversion::scaleOf(std::string_view operand) const {
    return quantizationOf(sourceOf(operand)).value_or(PerTensorQuantization{.scale = 1});
}

PartConversion::Tail PartConversion::tailOf(std::string_view result, NodeKind kind) const {
    Tail tail{.result = result, .range = {}};
    const Node* reader = onlyReader(result);
    if (const auto range = reader == nullptr || !fusesClamp(kind) ? std::nullopt : clampRange(*reader)) {
        tail.range = range;
        tail.clamp = reader;
        tail.result = firstResult(*reader);
        reader = onlyReader(tail.result);
    }
    if (reader != nullptr && quantizerKind(method, *reader) == QuantizerKind::Quantize) {
        tail.quantizer = reader;
    }
    return tail;
}

Result<bool> PartConversion::computesIntegers(const Node& node, const OperatorRow& row) {
    const Tail tail = tailOf(firstResult(node), row.kind);
    const auto result = tail.quantizer == nullptr ? std::nullopt : tensorScale(method, *tail.quantizer);
    if (row.integers == Integers::None || !result || lowering::numberArgument(node, "other")) {
        return false;
    }
    if (row.integers == Integers::Product) {
        return hasIntegerProduct(node);
    }
    return std::ranges::all_of(operandsOf(node), [&](std::string_view operand) {
        const auto scale = quantizationOf(sourceOf(operand));
        return !sourceOf(operand).empty() && scale &&
               (row.integers == Integers::Any || isSame(*scale, *result));
    });
}

Result<bool> PartConversion::hasIntegerProduct(const Node& node) {
    const ProductOperands operands = productOperands(method, node);
    if (sourceOf(operands.input).empty() || constants.has(operands.input)) {
        return false;
    }
    ET_ASSIGN(const auto weight, quantizedWeight(method, constants, operands.weight, operands.outputDim));
    return weight && !weight->fourBits && weight->blockSize == 0 && !operands.columns;
}

Result<std::optional<QuantizedWeight>> PartConversion::integerWeight(std::string_view value,
                                                                     std::size_t outputDim) {
    return quantizedWeight(method, constants, value, outputDim);
}

Result<ValueIndex> PartConversion::integerFilter(const QuantizedWeight& weight,
                                                 std::span<const std::uint8_t> order,
                                                 std::uint32_t outputDim) {
    ET_ASSIGN(const auto tensor, constants.get(weight.elements));
    std::vector<std::int64_t> sizes(tensor.view.sizes().begin(), tensor.view.sizes().end());
    if (sizes.size() + 1 == order.size()) {  // 1-d weights, as images of height 1
        sizes.insert(sizes.begin() + 2, 1);
    }
    std::vector<std::uint32_t> shape;
    for (const std::uint8_t dim : order) {
        shape.push_back(static_cast<std::uint32_t>(sizes[dim]));
    }
    std::vector<std::byte> bytes = lowering::permuteElements(tensor.view.rawBytes(), 1, sizes, order);
    if (weight.fourBits) {
        bytes = packedNibbles({reinterpret_cast<const std::int8_t*>(bytes.data()), bytes.size()});
    }
    DraftValue value{
        .datatype = weight.fourBits ? Datatype::QCInt4 : Datatype::QCInt8,
        .sizes = std::move(shape),
        .quantization = PerChannelQuantization{.channelDim = outputDim, .scales = weight.scales}};
    if (weight.blockSize != 0) {
        std::vector<std::uint16_t> scales;
        std::ranges::transform(weight.scales, std::back_inserter(scales), brainFloat);
        value.datatype = Datatype::QBInt4;
        value.quantization = BlockwiseQuantization{
            .channelDim = outputDim,
            .blockSize = weight.blockSize,
            .scales = {},
            .scaleConstant = draft.namedConstant(
                store.add(std::as_bytes(std::span(scales)), fmt::format("{}.scales", weight.elements))),
            .scaleCount = static_cast<std::uint32_t>(scales.size())};
    }
    return draft.constant(std::move(value), store.add(bytes, weight.elements));
}

ValueIndex PartConversion::integerBias(std::span<const float> bias, float inputScale,
                                       std::span<const float> weightScales, std::string_view hint) {
    constexpr double low = std::numeric_limits<std::int32_t>::min();
    constexpr double high = std::numeric_limits<std::int32_t>::max();
    std::vector<std::int32_t> elements;
    PerChannelQuantization quantization;
    for (std::size_t i = 0; i < bias.size(); ++i) {
        const float scale = inputScale * weightScales[i];
        quantization.scales.push_back(scale);
        const double steps = std::nearbyint(static_cast<double>(bias[i]) / static_cast<double>(scale));
        elements.push_back(static_cast<std::int32_t>(std::clamp(steps, low, high)));
    }
    const auto count = static_cast<std::uint32_t>(bias.size());
    return draft.constant(
        {.datatype = Datatype::QCInt32, .sizes = {count}, .quantization = std::move(quantization)},
        store.add(std::as_bytes(std::span(elements)), fmt::format("{}.int32", hint)));
}

Result<ValueIndex> PartConversion::readDynamic(const Node& from, std::string_view source, Layout layout,
                                               std::uint32_t sharing) {
    ET_ASSIGN(const ValueIndex input, read(source, layout));
    DraftValue value = describe(source, layout);
    value.datatype = Datatype::QDInt8;
    value.quantization = PerTokenQuantization{.nonbatchDims = sharing};
    return between(from, NodeKind::Convert, {input}, std::move(value));
}

/// Converts an existing int8 value to floats, in its layout.
Result<> PartConversion::dequantize(Places& places, std::string_view value, Layout layout) {
    ET_ASSIGN(const ValueIndex input, read(sourceOf(value), layout));
    places[layout] =
        between(method.node(*method.producer(value)), NodeKind::Convert, {input}, describe(value, layout));
    return {};
}

}  // namespace et::backends::xnnpack
