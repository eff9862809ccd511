#include "backends/lowering/node_arguments.h"
#include "backends/xnnpack/lower/folded_weights.h"
#include "backends/xnnpack/lower/operator_arguments.h"
#include "backends/xnnpack/lower/operator_rows.h"
#include "backends/xnnpack/lower/part_conversion.h"
#include "backends/xnnpack/lower/quantizers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

// Convolutions and batch norms folded into them.
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

/// Rank of 1-d inputs (batch, channels, length), computed as images of height 1.
constexpr std::size_t rowRank = 3;

bool isTransposed(const Node& node) {
    return booleanArgument(node, "transposed", false);
}

/// Height and width of a convolution argument; for 1-d inputs, `unit` replaces the missing height. Nothing:
/// see pairArgument().
std::optional<Numbers> convolutionPair(const Node& node, std::string_view name, std::int64_t unit,
                                       std::size_t rank) {
    if (rank == imageRank || findArgument(node, name) == nullptr) {
        return pairArgument(node, name, {unit, unit});
    }
    auto numbers = integersArgument(node, name);
    if (!numbers || numbers->size() > 1 || (numbers->size() == 1 && numbers->front() < 0)) {
        return std::nullopt;
    }
    return Numbers{unit, numbers->empty() ? unit : numbers->front()};
}

/// 1-d inputs are reshaped before and after, and a reshape may have one symbolic size.
std::string rowRule(const NodeQuery& question) {
    if (!dynamicSource(question.method, question.operand("input")).empty()) {
        return "XNNPACK supports dynamic quantization only for convolutions of images (four dimensions)";
    }
    for (const std::string_view value : {question.operand("input"), firstResult(question.node)}) {
        const auto* meta = question.method.meta(value);
        const auto symbolic =
            std::ranges::count_if(meta->sizes, [](const auto& size) { return !size.expression.empty(); });
        if (symbolic > 1) {
            return fmt::format("at most one size of \"{}\" may be symbolic", value);
        }
    }
    return {};
}

std::string convolutionRule(const NodeQuery& question) {
    const std::size_t rank = question.rankOf(question.operand("input"));
    if (rank != imageRank && rank != rowRank) {
        return "XNNPACK supports only images and rows (four or three dimensions)";
    }
    const std::string_view weight = question.operand("weight");
    const std::string_view bias = question.operand("bias");
    if (question.rankOf(weight) != rank || question.rankOf(firstResult(question.node)) != rank) {
        return "its weight and its result must have as many dimensions as its input";
    }
    if (!question.constants.has(weight) || (!bias.empty() && !question.constants.has(bias))) {
        return "its weight and bias must be constants";
    }
    for (const std::string_view name : {"stride", "padding", "dilation", "output_padding"}) {
        if (!convolutionPair(question.node, name, 0, rank)) {
            return fmt::format("its {} must have one number per dimension", name);
        }
    }
    if (std::string rule = rank == rowRank ? rowRule(question) : ""; !rule.empty()) {
        return rule;
    }
    const std::int64_t groups = integerArgument(question.node, "groups").value_or(1);
    if (isTransposed(question.node) && groups != 1) {
        return "a transposed convolution must have one group";
    }
    return groups < 1 ? "its groups must be known" : "";
}

/// Sizes of weights; 1-d weights get height 1.
std::vector<std::int64_t> filterSizes(std::vector<std::int64_t> sizes) {
    if (sizes.size() == rowRank) {
        sizes.insert(sizes.begin() + 2, 1);
    }
    return sizes;
}

/// Fields of a convolution of this rank in the payload; `weight`: sizes from filterSizes().
ConvolutionFields convolutionFields(const Node& node, const std::vector<std::int64_t>& weight,
                                    std::size_t rank) {
    const auto pair = [&](std::string_view name, std::int64_t unit) {
        return *convolutionPair(node, name, unit, rank);
    };
    const auto groups = static_cast<std::uint32_t>(integerArgument(node, "groups").value_or(1));
    const bool transposed = isTransposed(node);
    const auto first = static_cast<std::uint32_t>(weight[0]);
    const auto second = static_cast<std::uint32_t>(weight[1]);
    return {.padding = around(pair("padding", 0)),
            .kernel = both({weight[2], weight[3]}),
            .stride = both(pair("stride", 1)),
            .dilation = both(pair("dilation", 1)),
            .adjustment = transposed ? both(pair("output_padding", 0)) : HeightWidth{},
            .groups = groups,
            .groupInputChannels = transposed ? first : second,
            .groupOutputChannels = transposed ? second : first / groups};
}

/// Filter of a convolution in the payload.
struct Filter {
    ValueIndex weight = noValue;
    ValueIndex bias = noValue;
    std::string_view result{};  ///< result of the convolution, including a folded batch norm
};

/// Float filter with the following batch norm folded in.
Result<Filter> floatFilter(PartConversion& to, const Node& node, const ProductOperands& operands,
                           std::span<const std::uint8_t> order) {
    FoldedWeights folded{.sizes = filterSizes(to.graph().sizesOf(operands.weight)),
                         .outputsSecond = isTransposed(node)};
    ET_ASSIGN(folded.weight, to.constants().floats(operands.weight));
    if (!operands.bias.empty()) {
        ET_ASSIGN(folded.bias, to.constants().floats(operands.bias));
    }
    Filter filter;
    ET_ASSIGN(filter.result, foldNorm(to, node, folded));
    std::vector<std::uint32_t> sizes;
    for (const std::uint8_t dim : order) {
        sizes.push_back(static_cast<std::uint32_t>(folded.sizes[dim]));
    }
    filter.weight = to.constants().weights(folded.ordered(order), std::move(sizes), operands.weight);
    if (!folded.bias.empty()) {
        filter.bias = to.constants().weights(
            folded.bias, {static_cast<std::uint32_t>(folded.outputs())},
            operands.bias.empty() ? fmt::format("{}.bias", operands.weight) : std::string(operands.bias));
    }
    return filter;
}

/// Int8 filter; the bias is int32 if the input is quantized before the program runs.
Result<Filter> integerFilter(PartConversion& to, const Node& node, const ProductOperands& operands,
                             const QuantizedWeight& weight, std::span<const std::uint8_t> order,
                             bool depthwise) {
    Filter filter{.result = firstResult(node)};
    ET_ASSIGN(filter.weight, to.constants().integerFilter(weight, order, depthwise ? 3 : 0));
    if (operands.bias.empty()) {
        return filter;
    }
    ET_ASSIGN(std::vector<float> bias, to.constants().floats(operands.bias));
    bias.resize(weight.scales.size(), 0.0F);
    filter.bias =
        to.hasIntegers()
            ? to.constants().integerBias(bias, to.graph().scaleOf(operands.input).scale, weight.scales,
                                         operands.bias)
            : to.constants().weights(bias, {static_cast<std::uint32_t>(bias.size())}, operands.bias);
    return filter;
}

std::vector<std::uint32_t> wordsOf(const std::vector<std::int64_t>& sizes) {
    return {sizes.begin(), sizes.end()};
}

/// Size for a reshape: 0 for the symbolic size.
std::uint32_t knownSize(const PartConversion& to, std::string_view value, std::size_t dim) {
    const auto& size = to.graph().edge().meta(value)->sizes[dim];
    return size.expression.empty() ? static_cast<std::uint32_t>(size.value) : 0;
}

/// Reads 1-d input as images of height 1 in channels-last layout.
Result<ValueIndex> readRows(PartConversion& to, const Node& node, std::string_view rows) {
    ET_ASSIGN(const ValueIndex input, to.read(rows, Layout::Plain));
    const auto sizes = wordsOf(to.graph().sizesOf(rows));  // batch, channels, length
    DraftValue turned = to.alike(input);
    turned.sizes = {sizes[0], sizes[2], sizes[1]};
    DraftValue image = turned;
    image.sizes.insert(image.sizes.begin() + 1, 1);
    const ValueIndex moved = to.between(node, NodeKind::Transpose, {input}, std::move(turned),
                                        TransposeFields{.order = {0, 2, 1}});
    return to.between(node, NodeKind::Reshape, {moved}, std::move(image),
                      ReshapeFields{.sizes = {knownSize(to, rows, 0), 1, knownSize(to, rows, 2), sizes[1]}});
}

/// Rearrangements from the image result of a 1-d convolution to `result`.
std::vector<Rearrangement> backToRows(const PartConversion& to, std::string_view result) {
    const auto sizes = wordsOf(to.graph().sizesOf(result));  // batch, channels, length
    return {{.kind = NodeKind::Reshape,
             .fields = ReshapeFields{.sizes = {knownSize(to, result, 0), knownSize(to, result, 2), sizes[1]}},
             .from = {sizes[0], 1, sizes[2], sizes[1]}},
            {.kind = NodeKind::Transpose,
             .fields = TransposeFields{.order = {0, 2, 1}},
             .from = {sizes[0], sizes[2], sizes[1]}}};
}

Result<ValueIndex> readImage(PartConversion& to, const Node& node, const ProductOperands& operands,
                             std::string_view dynamic) {
    constexpr std::uint32_t imageDims = 3;  // dimensions that share one scale
    if (!dynamic.empty()) {
        return to.readDynamic(node, dynamic, Layout::ChannelsLast, imageDims);
    }
    return to.graph().sizesOf(operands.input).size() == rowRank
               ? readRows(to, node, operands.input)
               : to.read(operands.input, Layout::ChannelsLast);
}

Result<> convertConvolution(PartConversion& to, const Node& node, const OperatorRow& /*row*/) {
    const ProductOperands operands = productOperands(to.graph().edge(), node);
    const std::size_t rank = to.graph().sizesOf(operands.input).size();
    const ConvolutionFields fields =
        convolutionFields(node, filterSizes(to.graph().sizesOf(operands.weight)), rank);
    const bool transposed = isTransposed(node);
    const bool depthwise = !transposed && fields.groupInputChannels == 1 && fields.groups > 1;
    const auto order = filterOrder(transposed, depthwise);
    const std::string_view source = dynamicSource(to.graph().edge(), operands.input);
    ET_ASSIGN(const ValueIndex input, readImage(to, node, operands, source));
    std::optional<QuantizedWeight> weight;
    if (to.hasIntegers() || !source.empty()) {
        ET_ASSIGN(weight, to.constants().integerWeight(operands.weight, operands.outputDim));
    }
    ET_ASSIGN(const Filter filter, weight ? integerFilter(to, node, operands, *weight, order, depthwise)
                                          : floatFilter(to, node, operands, order));
    const NodeKind kind = transposed  ? NodeKind::TransposedConvolution
                          : depthwise ? NodeKind::DepthwiseConvolution
                                      : NodeKind::Convolution;
    to.give(node, kind, {input, filter.weight, filter.bias},
            {.layout = rank == rowRank ? Layout::Plain : Layout::ChannelsLast,
             .fields = fields,
             .result = filter.result,
             .then = rank == rowRank ? backToRows(to, filter.result) : std::vector<Rearrangement>()});
    return {};
}

/// Whether a batch norm can be folded into this node: a convolution, or a product with a float matrix whose
/// columns are the channels.
bool takesNorm(const NodeQuery& question, const Node& node) {
    if (node.op == "aten.convolution.default") {
        return true;
    }
    return node.op == "aten.linear.default" && question.rankOf(firstResult(node)) == 2 &&
           question.method.isConstant(valueName(findArgument(node, "weight")));
}

std::string normRule(const NodeQuery& question) {
    const auto producer = question.method.producer(question.operand("input"));
    const bool alone = producer && question.taken[*producer] &&
                       takesNorm(question, question.method.node(*producer)) &&
                       question.method.users(question.operand("input")).size() == 1 &&
                       !question.method.isOutput(question.operand("input"));
    if (!alone) {
        return "it can only be folded into a preceding convolution or linear layer whose result nothing else "
               "reads";
    }
    for (const std::string_view name : {"weight", "bias", "running_mean", "running_var"}) {
        const std::string_view value = question.operand(name);
        if (!value.empty() && !question.constants.has(value)) {
            return fmt::format("its {} must be a constant", name);
        }
    }
    return {};
}

/// Only called for a batch norm that was not folded into its convolution.
Result<> convertNorm(PartConversion& /*to*/, const Node& /*node*/, const OperatorRow& /*row*/) {
    return core::fail(core::ErrorCode::InvalidArgument, "its convolution is in another delegate");
}

constexpr std::array convolutionTable = std::to_array<OperatorRow>({
    {.op = "aten.convolution.default",
     .kind = NodeKind::Convolution,
     .refuse = convolutionRule,
     .convert = convertConvolution,
     .integers = Integers::Product},
    {.op = foldedNorm, .kind = NodeKind::Convolution, .refuse = normRule, .convert = convertNorm},
});

}  // namespace

std::span<const OperatorRow> convolutionRows() {
    return convolutionTable;
}

}  // namespace et::backends::xnnpack
