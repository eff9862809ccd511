#include "backends/lowering/node_arguments.h"
#include "backends/xnnpack/lower/dim_arguments.h"
#include "backends/xnnpack/lower/folded_weights.h"
#include "backends/xnnpack/lower/operator_rows.h"
#include "backends/xnnpack/lower/part_conversion.h"
#include "backends/xnnpack/lower/product_names.h"
#include "backends/xnnpack/lower/quantizers.h"

#include <fmt/format.h>
#include <xnnpack.h>

#include <algorithm>
#include <array>

// Operators on images: what the library computes with channels last.
namespace et::backends::xnnpack {
namespace {

using core::Result;
using etrecord::Node;
using lowering::booleanArgument;
using lowering::findArgument;
using lowering::firstResult;
using lowering::integerArgument;
using lowering::integersArgument;
using lowering::valueName;

using Numbers = std::vector<std::int64_t>;
constexpr std::string_view batchNorm = "aten._native_batch_norm_legit_no_training.default";

/// Two numbers, of which a node may give one; nothing where it gives others, or none and there is no default.
std::optional<Numbers> pairArgument(const Node& node, std::string_view name, const Numbers& otherwise) {
    if (findArgument(node, name) == nullptr) {
        return otherwise;
    }
    auto numbers = integersArgument(node, name);
    if (numbers && numbers->empty()) {
        return otherwise;
    }
    if (numbers && numbers->size() == 1) {
        numbers->push_back(numbers->front());
    }
    const bool fits = numbers && numbers->size() == 2 &&
                      std::ranges::all_of(*numbers, [](std::int64_t number) { return number >= 0; });
    return fits ? numbers : std::nullopt;
}

HeightWidth both(const Numbers& numbers) {
    return {.height = static_cast<std::uint32_t>(numbers[0]),
            .width = static_cast<std::uint32_t>(numbers[1])};
}
ImagePadding around(const Numbers& numbers) {
    const HeightWidth sides = both(numbers);
    return {.top = sides.height, .right = sides.width, .bottom = sides.height, .left = sides.width};
}

std::string imageRule(const NodeQuestion& question, std::string_view operand) {
    return question.rankOf(question.operand(operand)) == imageRank
               ? ""
               : "XNNPACK computes it on images, of four dimensions";
}

// Convolutions.

bool isTransposed(const Node& node) {
    return booleanArgument(node, "transposed", false);
}

std::string convolutionRule(const NodeQuestion& question) {
    if (std::string rule = imageRule(question, "input"); !rule.empty()) {
        return rule;
    }
    const std::string_view weight = question.operand("weight");
    const std::string_view bias = question.operand("bias");
    if (question.rankOf(weight) != imageRank || question.rankOf(firstResult(question.node)) != imageRank) {
        return "its weight must have four dimensions";
    }
    if (!question.constants.has(weight) || (!bias.empty() && !question.constants.has(bias))) {
        return "its weight and bias must be constants";
    }
    for (const std::string_view name : {"stride", "padding", "dilation", "output_padding"}) {
        if (!pairArgument(question.node, name, {0, 0})) {
            return fmt::format("its {} must be two numbers", name);
        }
    }
    const std::int64_t groups = integerArgument(question.node, "groups").value_or(1);
    if (isTransposed(question.node) && groups != 1) {
        return "a transposed convolution must have one group";
    }
    return groups < 1 ? "its groups must be known" : "";
}

/// Bounds and sizes of a convolution in the payload's words.
ConvolutionFields convolutionFields(const Node& node, const std::vector<std::int64_t>& weight) {
    const auto groups = static_cast<std::uint32_t>(integerArgument(node, "groups").value_or(1));
    const bool transposed = isTransposed(node);
    const auto first = static_cast<std::uint32_t>(weight[0]);
    const auto second = static_cast<std::uint32_t>(weight[1]);
    return {.padding = around(*pairArgument(node, "padding", {0, 0})),
            .kernel = both({weight[2], weight[3]}),
            .stride = both(*pairArgument(node, "stride", {1, 1})),
            .dilation = both(*pairArgument(node, "dilation", {1, 1})),
            .adjustment = transposed ? both(*pairArgument(node, "output_padding", {0, 0})) : HeightWidth{},
            .groups = groups,
            .groupInputChannels = transposed ? first : second,
            .groupOutputChannels = transposed ? second : first / groups};
}

/// The result of the convolution, or that of the batch norm that alone reads it and is folded into it.
Result<std::string_view> foldNorm(PartConversion& to, const Node& node, FoldedWeights& folded) {
    const Node* norm = to.onlyReader(firstResult(node));
    if (norm == nullptr || norm->op != batchNorm) {
        return firstResult(node);
    }
    NormNumbers numbers;
    const auto read = [&](std::string_view name, std::vector<float>& into) -> Result<> {
        const std::string_view value = valueName(findArgument(*norm, name));
        if (!value.empty()) {
            ET_ASSIGN(into, to.floats(value));
        }
        return {};
    };
    ET_TRY(read("weight", numbers.scale));
    ET_TRY(read("bias", numbers.shift));
    ET_TRY(read("running_mean", numbers.mean));
    ET_TRY(read("running_var", numbers.variance));
    numbers.epsilon = lowering::numberArgument(*norm, "eps").value_or(0);
    ET_TRY(folded.fold(numbers));
    to.skip(*norm);
    return firstResult(*norm);
}

/// What a convolution multiplies with, in the payload.
struct Filter {
    ValueIndex weight = noValue;
    ValueIndex bias = noValue;
    std::string_view result{};  ///< of the convolution, with what was folded into it
};

/// As floats, with the batch norm behind.
Result<Filter> floatFilter(PartConversion& to, const Node& node, const ProductOperands& operands,
                           std::span<const std::uint8_t> order) {
    FoldedWeights folded{.sizes = to.sizesOf(operands.weight), .outputsSecond = isTransposed(node)};
    ET_ASSIGN(folded.weight, to.floats(operands.weight));
    if (!operands.bias.empty()) {
        ET_ASSIGN(folded.bias, to.floats(operands.bias));
    }
    Filter filter;
    ET_ASSIGN(filter.result, foldNorm(to, node, folded));
    std::vector<std::uint32_t> sizes;
    for (const std::uint8_t dim : order) {
        sizes.push_back(static_cast<std::uint32_t>(folded.sizes[dim]));
    }
    filter.weight = to.weights(folded.ordered(order), std::move(sizes), operands.weight);
    if (!folded.bias.empty()) {
        filter.bias = to.weights(
            folded.bias, {static_cast<std::uint32_t>(folded.outputs())},
            operands.bias.empty() ? fmt::format("{}.bias", operands.weight) : std::string(operands.bias));
    }
    return filter;
}

/// As int8, with a bias that is int32 where the input is quantized before the program runs.
Result<Filter> integerFilter(PartConversion& to, const Node& node, const ProductOperands& operands,
                             const QuantizedWeight& weight, std::span<const std::uint8_t> order,
                             bool depthwise) {
    Filter filter{.result = firstResult(node)};
    ET_ASSIGN(filter.weight, to.integerFilter(weight, order, depthwise ? 3 : 0));
    if (operands.bias.empty()) {
        return filter;
    }
    ET_ASSIGN(std::vector<float> bias, to.floats(operands.bias));
    bias.resize(weight.scales.size(), 0.0F);
    filter.bias = to.hasIntegers()
                      ? to.integerBias(bias, to.scaleOf(operands.input).scale, weight.scales, operands.bias)
                      : to.weights(bias, {static_cast<std::uint32_t>(bias.size())}, operands.bias);
    return filter;
}

Result<> convertConvolution(PartConversion& to, const Node& node, const OperatorRow& /*row*/) {
    constexpr std::uint32_t imageDims = 3;  // have one scale
    const ProductOperands operands = productOperands(to.edge(), node);
    const ConvolutionFields fields = convolutionFields(node, to.sizesOf(operands.weight));
    const bool transposed = isTransposed(node);
    const bool depthwise = !transposed && fields.groupInputChannels == 1 && fields.groups > 1;
    const auto order = filterOrder(transposed, depthwise);
    const std::string_view source = dynamicSource(to.edge(), operands.input);
    ET_ASSIGN(const ValueIndex input, source.empty()
                                          ? to.read(operands.input, Layout::ChannelsLast)
                                          : to.readDynamic(node, source, Layout::ChannelsLast, imageDims));
    std::optional<QuantizedWeight> weight;
    if (to.hasIntegers() || !source.empty()) {
        ET_ASSIGN(weight, to.integerWeight(operands.weight, operands.outputDim));
    }
    ET_ASSIGN(const Filter filter, weight ? integerFilter(to, node, operands, *weight, order, depthwise)
                                          : floatFilter(to, node, operands, order));
    const NodeKind kind = transposed  ? NodeKind::TransposedConvolution
                          : depthwise ? NodeKind::DepthwiseConvolution
                                      : NodeKind::Convolution;
    to.give(node, kind, {input, filter.weight, filter.bias},
            {.layout = Layout::ChannelsLast,
             .fields = fields,
             .flags = depthwise ? XNN_FLAG_DEPTHWISE_CONVOLUTION : 0U,
             .result = filter.result});
    return {};
}

std::string normRule(const NodeQuestion& question) {
    const auto producer = question.method.producer(question.operand("input"));
    const bool alone = producer && question.taken[*producer] &&
                       question.method.node(*producer).op == "aten.convolution.default" &&
                       question.method.users(question.operand("input")).size() == 1 &&
                       !question.method.isOutput(question.operand("input"));
    if (!alone) {
        return "it is folded into the convolution before it, which nothing else may read";
    }
    for (const std::string_view name : {"weight", "bias", "running_mean", "running_var"}) {
        const std::string_view value = question.operand(name);
        if (!value.empty() && !question.constants.has(value)) {
            return fmt::format("its {} must be a constant", name);
        }
    }
    return {};
}

/// Only a batch norm that its convolution did not fold comes here.
Result<> convertNorm(PartConversion& /*to*/, const Node& node, const OperatorRow& /*row*/) {
    return core::fail(
        core::ErrorCode::InvalidArgument,
        fmt::format("node {}: its convolution is in another delegate", core::printable(node.name)));
}

// Pooling.

std::string windowRule(const NodeQuestion& question) {
    if (std::string rule = imageRule(question, "self"); !rule.empty()) {
        return rule;
    }
    for (const std::string_view name : {"kernel_size", "stride", "padding", "dilation"}) {
        if (!pairArgument(question.node, name, {1, 1})) {
            return fmt::format("its {} must be two numbers", name);
        }
    }
    return booleanArgument(question.node, "ceil_mode", false) ? "ceil_mode must be false" : "";
}

std::string maximumRule(const NodeQuestion& question) {
    if (std::string rule = windowRule(question); !rule.empty()) {
        return rule;
    }
    const auto& outputs = question.node.outputs;
    const std::string_view places = outputs.size() < 2 ? std::string_view() : valueName(&outputs[1]);
    if (!question.method.users(places).empty() || question.method.isOutput(places)) {
        return "XNNPACK does not say where the largest elements are";
    }
    const Numbers kernel = *pairArgument(question.node, "kernel_size", {1, 1});
    const Numbers stride = *pairArgument(question.node, "stride", kernel);
    return stride[0] <= kernel[0] && stride[1] <= kernel[1] ? "" : "its stride must be at most its window";
}

std::string averageRule(const NodeQuestion& question) {
    if (std::string rule = windowRule(question); !rule.empty()) {
        return rule;
    }
    const Numbers kernel = *pairArgument(question.node, "kernel_size", {1, 1});
    const Numbers padding = *pairArgument(question.node, "padding", {0, 0});
    const bool padded = padding[0] != 0 || padding[1] != 0;
    if (padded && booleanArgument(question.node, "count_include_pad", true)) {
        return "padding must not count";
    }
    const auto divisor = integerArgument(question.node, "divisor_override");
    return !divisor || *divisor == kernel[0] * kernel[1] ? "" : "divisor_override must be the window's area";
}

Result<> convertPooling(PartConversion& to, const Node& node, const OperatorRow& row) {
    ET_ASSIGN(const ValueIndex input, to.read(valueName(findArgument(node, "self")), Layout::ChannelsLast));
    const Numbers kernel = *pairArgument(node, "kernel_size", {1, 1});
    PoolingFields fields{.padding = around(*pairArgument(node, "padding", {0, 0})),
                         .window = both(kernel),
                         .stride = both(*pairArgument(node, "stride", kernel)),
                         .dilation = both(*pairArgument(node, "dilation", {1, 1}))};
    to.give(node, row.kind, {input}, {.layout = Layout::ChannelsLast, .fields = fields});
    return {};
}

std::string meanRule(const NodeQuestion& question) {
    if (std::string rule = imageRule(question, "self"); !rule.empty()) {
        return rule;
    }
    const auto dims = integersArgument(question.node, "dim");
    std::vector<std::size_t> front;
    for (const std::int64_t dim : dims.value_or(Numbers())) {
        front.push_back(frontDim(dim, imageRank).value_or(0));
    }
    std::ranges::sort(front);
    return front == std::vector<std::size_t>{2, 3} ? "" : "it must be over height and width";
}

/// Without its dimensions, the mean of each channel lies in memory alike with the channels last or not.
Result<> convertMean(PartConversion& to, const Node& node, const OperatorRow& row) {
    ET_ASSIGN(const ValueIndex input, to.read(valueName(findArgument(node, "self")), Layout::ChannelsLast));
    const bool keeps = booleanArgument(node, "keepdim", false);
    to.give(
        node, row.kind, {input},
        {.layout = keeps ? Layout::ChannelsLast : Layout::Plain, .flags = keeps ? XNN_FLAG_KEEP_DIMS : 0U});
    return {};
}

std::string resizeRule(const NodeQuestion& question) {
    if (std::string rule = imageRule(question, "input"); !rule.empty()) {
        return rule;
    }
    const auto& sizes = question.method.meta(firstResult(question.node))->sizes;
    if (sizes.size() != imageRank) {
        return "its result must have four dimensions";
    }
    return sizes[2].expression.empty() && sizes[3].expression.empty()
               ? ""
               : "the size of the result must be known";
}

Result<> convertResize(PartConversion& to, const Node& node, const OperatorRow& row) {
    ET_ASSIGN(const ValueIndex input, to.read(valueName(findArgument(node, "input")), Layout::ChannelsLast));
    const auto sizes = to.sizesOf(firstResult(node));
    const bool aligned = booleanArgument(node, "align_corners", false);
    to.give(node, row.kind, {input},
            {.layout = Layout::ChannelsLast,
             .fields = ResizeFields{.size = both({sizes[2], sizes[3]})},
             .flags = aligned ? XNN_FLAG_ALIGN_CORNERS : 0U});
    return {};
}

constexpr std::array imageTable = std::to_array<OperatorRow>({
    {.op = "aten.convolution.default",
     .kind = NodeKind::Convolution,
     .refuse = convolutionRule,
     .convert = convertConvolution,
     .integers = Integers::Product},
    {.op = batchNorm, .kind = NodeKind::Convolution, .refuse = normRule, .convert = convertNorm},
    {.op = "aten.max_pool2d_with_indices.default",
     .kind = NodeKind::MaxPooling,
     .refuse = maximumRule,
     .convert = convertPooling,
     .integers = Integers::OneScale},
    {.op = "aten.avg_pool2d.default",
     .kind = NodeKind::AveragePooling,
     .refuse = averageRule,
     .convert = convertPooling},
    {.op = "aten.mean.dim",
     .kind = NodeKind::GlobalAveragePooling,
     .refuse = meanRule,
     .convert = convertMean,
     .integers = Integers::Any},
    {.op = "aten.upsample_bilinear2d.vec",
     .kind = NodeKind::Resize,
     .refuse = resizeRule,
     .convert = convertResize},
});

}  // namespace

std::span<const OperatorRow> imageRows() {
    return imageTable;
}

}  // namespace et::backends::xnnpack
