#include "backends/lowering/node_arguments.h"
#include "backends/xnnpack/lower/operator_arguments.h"
#include "backends/xnnpack/lower/operator_rows.h"
#include "backends/xnnpack/lower/part_conversion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

// Operators that move elements.
namespace et::backends::xnnpack {
namespace {

using core::Result;
using etrecord::Node;
using etrecord::SymInt;
using lowering::findArgument;
using lowering::firstResult;
using lowering::integerArgument;

const std::vector<SymInt>& sizesOf(const NodeQuery& question, std::string_view value) {
    static const std::vector<SymInt> none;  // for an argument missing in a damaged node
    const auto* meta = question.method.meta(value);
    return meta == nullptr ? none : meta->sizes;
}

std::size_t symbolicSizes(const std::vector<SymInt>& sizes) {
    return static_cast<std::size_t>(
        std::ranges::count_if(sizes, [](const SymInt& size) { return !size.expression.empty(); }));
}

// Other sizes.

std::string reshapeRule(const NodeQuery& question) {
    return symbolicSizes(sizesOf(question, firstResult(question.node))) <= 1
               ? ""
               : "at most one size of the result may be symbolic";
}

std::string expandRule(const NodeQuery& question) {
    const auto& from = sizesOf(question, operandOf(question.node));
    const auto& to = sizesOf(question, firstResult(question.node));
    const std::size_t added = to.size() - std::min(from.size(), to.size());
    for (std::size_t i = 0; i < to.size(); ++i) {
        const bool same =
            i < added ? to[i] == SymInt{.value = 1, .expression = {}} : to[i] == from[i - added];
        if (!same) {
            return "XNNPACK cannot repeat elements";
        }
    }
    return reshapeRule(question);
}

Result<> convertReshape(PartConversion& to, const Node& node, const OperatorRow& row) {
    ET_ASSIGN(const ValueIndex input, to.read(operandOf(node), Layout::Plain));
    const auto* meta = to.graph().edge().meta(firstResult(node));
    ReshapeFields fields;
    for (const SymInt& size : meta->sizes) {
        fields.sizes.push_back(size.expression.empty() ? static_cast<std::uint32_t>(size.value) : 0);
    }
    to.give(node, row.kind, {input}, {.fields = std::move(fields)});
    return {};
}

// Another order.

std::string permuteRule(const NodeQuery& question) {
    return permutedDims(question.node, question.rankOf(operandOf(question.node)))
               ? ""
               : "its dimensions must be known";
}

Result<> convertPermute(PartConversion& to, const Node& node, const OperatorRow& row) {
    ET_ASSIGN(const ValueIndex input, to.read(operandOf(node), Layout::Plain));
    const auto dims = permutedDims(node, to.graph().sizesOf(operandOf(node)).size());
    to.give(node, row.kind, {input}, {.fields = TransposeFields{.order = {dims->begin(), dims->end()}}});
    return {};
}

Result<> convertPass(PartConversion& to, const Node& node, const OperatorRow& /*row*/) {
    return to.pass(node, operandOf(node));
}

// Splitting and concatenation.

constexpr std::array<std::uint32_t, 4> placeChannelsLast{0, 3, 1, 2};  ///< position of dimension i of an
                                                                       ///< image

std::uint32_t placeOf(std::size_t dim, Layout layout) {
    return layout == Layout::ChannelsLast ? placeChannelsLast[dim] : static_cast<std::uint32_t>(dim);
}

std::string concatenateRule(const NodeQuery& question) {
    const auto tensors = lowering::tensorsArgument(question.node, "tensors");
    const std::size_t rank = question.rankOf(firstResult(question.node));
    if (!tensors || tensors->empty() || !frontDim(integerArgument(question.node, "dim").value_or(0), rank)) {
        return "its tensors and its dimension must be known";
    }
    const bool same =
        std::ranges::all_of(*tensors, [&](std::string_view each) { return question.rankOf(each) == rank; });
    return same ? "" : "its tensors must have as many dimensions as the result";
}

NodeKind concatenation(std::size_t inputs) {
    switch (inputs) {
        case 2:
            return NodeKind::Concatenate2;
        case 3:
            return NodeKind::Concatenate3;
        case 4:
            return NodeKind::Concatenate4;
        default:
            return NodeKind::Concatenate5;
    }
}

/// The library concatenates up to five tensors; more are concatenated step by step.
Result<> convertConcatenate(PartConversion& to, const Node& node, const OperatorRow& /*row*/) {
    constexpr std::size_t most = 5;
    const auto tensors = *lowering::tensorsArgument(node, "tensors");
    const std::size_t rank = to.graph().sizesOf(firstResult(node)).size();
    const Layout layout = to.commonLayout(tensors);
    const std::uint32_t axis = placeOf(*frontDim(integerArgument(node, "dim").value_or(0), rank), layout);
    if (tensors.size() == 1) {
        return to.pass(node, tensors.front());
    }
    std::vector<ValueIndex> open;
    DraftValue joined;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        ET_ASSIGN(const ValueIndex input, to.read(tensors[i], layout));
        if (open.size() == most) {
            const NodeFields fields = ConcatenateFields{.axis = static_cast<std::int32_t>(axis)};
            joined = to.joined(open, axis);
            open = {to.between(node, concatenation(most), open, joined, fields)};
        }
        open.push_back(input);
    }
    to.give(node, concatenation(open.size()), open,
            {.layout = layout, .fields = ConcatenateFields{.axis = static_cast<std::int32_t>(axis)}});
    return {};
}

struct SliceBounds {
    std::size_t dim;
    std::int64_t start, size;
};

/// Nothing if not known before the run.
std::optional<SliceBounds> sliceBounds(const Node& node, const std::vector<SymInt>& sizes) {
    const auto plain = [&](std::string_view name, std::int64_t otherwise) -> std::optional<std::int64_t> {
        const auto* argument = findArgument(node, name);
        return argument == nullptr || argument->kind == "as_none" ? std::optional(otherwise)
                                                                  : integerArgument(node, name);
    };
    const auto dim = frontDim(integerArgument(node, "dim").value_or(0), sizes.size());
    if (!dim || symbolicSizes(sizes) != 0 || plain("step", 1) != 1) {
        return std::nullopt;
    }
    const std::int64_t whole = sizes[*dim].value;
    auto start = plain("start", 0);
    auto end = plain("end", std::numeric_limits<std::int64_t>::max());
    if (!start || !end) {
        return std::nullopt;
    }
    const auto front = [&](std::int64_t at) {
        return std::clamp(at < 0 ? at + whole : at, std::int64_t{0}, whole);
    };
    return SliceBounds{.dim = *dim, .start = front(*start), .size = front(*end) - front(*start)};
}

std::string sliceRule(const NodeQuery& question) {
    const auto bounds = sliceBounds(question.node, sizesOf(question, operandOf(question.node)));
    return bounds && bounds->size > 0 ? "" : "its bounds and sizes must be known, and its step 1";
}

Result<> convertSlice(PartConversion& to, const Node& node, const OperatorRow& row) {
    const std::array operands{operandOf(node)};
    const Layout layout = to.commonLayout(operands);
    ET_ASSIGN(const ValueIndex input, to.read(operands[0], layout));
    const auto& sizes = to.graph().edge().meta(operands[0])->sizes;
    const SliceBounds bounds = *sliceBounds(node, sizes);
    SliceFields fields{.offsets = std::vector<std::uint32_t>(sizes.size(), 0),
                       .sizes = std::vector<std::uint32_t>(sizes.size(), 0)};
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        fields.sizes[placeOf(i, layout)] =
            static_cast<std::uint32_t>(i == bounds.dim ? bounds.size : sizes[i].value);
    }
    fields.offsets[placeOf(bounds.dim, layout)] = static_cast<std::uint32_t>(bounds.start);
    to.give(node, row.kind, {input}, {.layout = layout, .fields = std::move(fields)});
    return {};
}

std::string padRule(const NodeQuery& question) {
    const auto pads = lowering::integersArgument(question.node, "pad");
    const bool known = pads && pads->size() <= 2 * question.rankOf(operandOf(question.node)) &&
                       std::ranges::all_of(*pads, [](std::int64_t pad) { return pad >= 0; });
    if (!known) {
        return "its padding must be known and not negative";
    }
    const double value = lowering::numberArgument(question.node, "value").value_or(0);
    return std::isfinite(value) ? "" : "it must pad with a finite number";
}

Result<> convertPad(PartConversion& to, const Node& node, const OperatorRow& row) {
    const std::array operands{operandOf(node)};
    const Layout layout = to.commonLayout(operands);
    ET_ASSIGN(const ValueIndex input, to.read(operands[0], layout));
    const std::size_t rank = to.graph().sizesOf(operands[0]).size();
    const auto pads = *lowering::integersArgument(node, "pad");
    PadFields fields{.before = std::vector<std::uint32_t>(rank, 0),
                     .after = std::vector<std::uint32_t>(rank, 0),
                     .value = static_cast<float>(lowering::numberArgument(node, "value").value_or(0))};
    for (std::size_t i = 0; 2 * i + 1 < pads.size(); ++i) {  // starts with the last dimension
        const std::uint32_t at = placeOf(rank - 1 - i, layout);
        fields.before[at] = static_cast<std::uint32_t>(pads[2 * i]);
        fields.after[at] = static_cast<std::uint32_t>(pads[2 * i + 1]);
    }
    to.give(node, row.kind, {input}, {.layout = layout, .fields = std::move(fields)});
    return {};
}

constexpr OperatorRow reshape(std::string_view op, std::string (*refuse)(const NodeQuery&) = reshapeRule) {
    return {.op = op,
            .kind = NodeKind::Reshape,
            .refuse = refuse,
            .convert = convertReshape,
            .integers = Integers::OneScale};
}
constexpr OperatorRow transposition(std::string_view op) {
    return {.op = op,
            .kind = NodeKind::Transpose,
            .refuse = permuteRule,
            .convert = convertPermute,
            .integers = Integers::OneScale};
}
constexpr OperatorRow pass(std::string_view op) {
    return {.op = op,
            .kind = NodeKind::Copy,
            .refuse = nullptr,
            .convert = convertPass,
            .integers = Integers::OneScale};
}

constexpr std::array arrangementTable = std::to_array<OperatorRow>({
    reshape("aten.view_copy.default"),
    reshape("aten.unsqueeze_copy.default"),
    reshape("aten.squeeze_copy.dims"),
    reshape("aten.squeeze_copy.dim"),
    reshape("aten.expand_copy.default", expandRule),
    transposition("aten.permute_copy.default"),
    transposition("aten.transpose_copy.int"),
    transposition("aten.t_copy.default"),
    pass("aten.clone.default"),
    pass("aten.alias_copy.default"),
    pass("dim_order_ops._clone_dim_order.default"),
    pass("dim_order_ops._to_dim_order_copy.default"),
    {.op = "aten.cat.default",
     .kind = NodeKind::Concatenate2,
     .refuse = concatenateRule,
     .convert = convertConcatenate,
     .integers = Integers::OneScale},
    {.op = "aten.slice_copy.Tensor",
     .kind = NodeKind::Slice,
     .refuse = sliceRule,
     .convert = convertSlice,
     .integers = Integers::OneScale},
    {.op = "aten.constant_pad_nd.default", .kind = NodeKind::Pad, .refuse = padRule, .convert = convertPad},
});

}  // namespace

std::span<const OperatorRow> arrangementRows() {
    return arrangementTable;
}

}  // namespace et::backends::xnnpack
