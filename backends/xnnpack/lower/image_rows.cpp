#include "backends/lowering/node_arguments.h"
#include "backends/xnnpack/lower/operator_arguments.h"
#include "backends/xnnpack/lower/operator_rows.h"
#include "backends/xnnpack/lower/part_conversion.h"

#include <fmt/format.h>
#include <xnnpack.h>

#include <algorithm>
#include <array>
#include <cmath>

// Image operators except convolutions: computed by the library in channels-last layout.
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

std::string imageRule(const NodeQuery& question, std::string_view operand) {
    return question.rankOf(question.operand(operand)) == imageRank
               ? ""
               : "XNNPACK supports only images (four dimensions)";
}

// Pooling.

std::string windowRule(const NodeQuery& question) {
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

std::string maximumRule(const NodeQuery& question) {
    if (std::string rule = windowRule(question); !rule.empty()) {
        return rule;
    }
    const auto& outputs = question.node.outputs;
    const std::string_view places = outputs.size() < 2 ? std::string_view() : valueName(&outputs[1]);
    if (!question.method.users(places).empty() || question.method.isOutput(places)) {
        return "XNNPACK does not return the positions of the largest elements";
    }
    const Numbers kernel = *pairArgument(question.node, "kernel_size", {1, 1});
    const Numbers stride = *pairArgument(question.node, "stride", kernel);
    return stride[0] <= kernel[0] && stride[1] <= kernel[1] ? "" : "its stride must be at most its window";
}

std::string averageRule(const NodeQuery& question) {
    if (std::string rule = windowRule(question); !rule.empty()) {
        return rule;
    }
    const Numbers kernel = *pairArgument(question.node, "kernel_size", {1, 1});
    const Numbers padding = *pairArgument(question.node, "padding", {0, 0});
    const bool padded = padding[0] != 0 || padding[1] != 0;
    if (padded && booleanArgument(question.node, "count_include_pad", true)) {
        return "count_include_pad must be false";
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

std::string meanRule(const NodeQuery& question) {
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

/// Without the reduced dimensions, the mean of each channel has the same memory layout with channels last or
/// not.
Result<> convertMean(PartConversion& to, const Node& node, const OperatorRow& row) {
    ET_ASSIGN(const ValueIndex input, to.read(valueName(findArgument(node, "self")), Layout::ChannelsLast));
    const bool keeps = booleanArgument(node, "keepdim", false);
    to.give(
        node, row.kind, {input},
        {.layout = keeps ? Layout::ChannelsLast : Layout::Plain, .flags = keeps ? XNN_FLAG_KEEP_DIMS : 0U});
    return {};
}

/// The library steps by the ratio of the sizes, PyTorch by the given scale. These are equal if the output
/// size was not rounded down, and with aligned corners.
bool stepsByScale(const NodeQuery& question) {
    constexpr double least = 1e-6;
    const auto scales = lowering::numbersArgument(question.node, "scale_factors");
    const auto* const from = question.method.meta(question.operand("input"));
    const auto* const to = question.method.meta(firstResult(question.node));
    if (!scales || from == nullptr || booleanArgument(question.node, "align_corners", false)) {
        return false;
    }
    for (std::size_t i = 0; i < std::min<std::size_t>(scales->size(), 2); ++i) {
        const auto in = static_cast<double>(from->sizes[2 + i].value);
        const auto out = static_cast<double>(to->sizes[2 + i].value);
        if (std::abs(in * (*scales)[i] - out) > least * out) {
            return true;
        }
    }
    return false;
}

std::string resizeRule(const NodeQuery& question) {
    if (std::string rule = imageRule(question, "input"); !rule.empty()) {
        return rule;
    }
    const auto& sizes = question.method.meta(firstResult(question.node))->sizes;
    if (sizes.size() != imageRank) {
        return "its result must have four dimensions";
    }
    if (!sizes[2].expression.empty() || !sizes[3].expression.empty()) {
        return "the size of the result must be known";
    }
    return stepsByScale(question) ? "its scale must give integer sizes, or align_corners must be true" : "";
}

Result<> convertResize(PartConversion& to, const Node& node, const OperatorRow& row) {
    ET_ASSIGN(const ValueIndex input, to.read(valueName(findArgument(node, "input")), Layout::ChannelsLast));
    const auto sizes = to.graph().sizesOf(firstResult(node));
    const bool aligned = booleanArgument(node, "align_corners", false);
    to.give(node, row.kind, {input},
            {.layout = Layout::ChannelsLast,
             .fields = ResizeFields{.size = both({sizes[2], sizes[3]})},
             .flags = aligned ? XNN_FLAG_ALIGN_CORNERS : 0U});
    return {};
}

constexpr std::array imageTable = std::to_array<OperatorRow>({
    {.op = "aten.max_pool2d.default",
     .kind = NodeKind::MaxPooling,
     .refuse = maximumRule,
     .convert = convertPooling,
     .integers = Integers::OneScale},
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
