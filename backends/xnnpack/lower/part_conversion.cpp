#include "backends/xnnpack/lower/part_conversion.h"

#include "backends/lowering/node_arguments.h"
#include "backends/reference/node_values.h"
#include "backends/reference/plan.h"
#include "backends/xnnpack/lower/operator_arguments.h"
#include "backends/xnnpack/lower/operator_rows.h"
#include "backends/xnnpack/lower/quantizers.h"
#include "backends/xnnpack/nodes/node_table.h"

#include <algorithm>
#include <array>
#include <utility>

namespace et::backends::xnnpack {

using core::ErrorCode;
using core::Result;
using etrecord::Node;
using lowering::firstResult;

namespace {

constexpr std::array<std::uint8_t, imageRank> fromChannelsLast{0, 3, 1, 2};

std::uint32_t handleOf(const Node& node) {
    return node.debugHandles.empty() ? noDebugHandle
                                     : static_cast<std::uint32_t>(node.debugHandles.front().value);
}

bool isSame(const PerTensorQuantization& left, const PerTensorQuantization& right) {
    return left.scale == right.scale && left.zeroPoint == right.zeroPoint;
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

PartConversion::PartConversion(const lowering::EdgeMethod& of, Constants& known,
                               std::span<const NodeIndex> which, lowering::WeightStore& store)
    : method(of),
      nodes(which),
      nodesOfPart(of, known, which),
      ownConstants(nodesOfPart, known, store, draft),
      skipped(of.graph().nodes.size(), false) {
}

/// Names the graph's node for an error in a node of the payload.
core::Error PartConversion::named(core::Error error) const {
    const auto node = PayloadDraft::nodeOf(error);
    return node < madeFor.size() ? reference::atNode(method.node(madeFor[node]), std::move(error)) : error;
}

Result<lowering::DelegatedPart> PartConversion::run(const NodeWatch& watch) {
    part.backend = "XnnpackBackend";
    part.nodes.assign(nodes.begin(), nodes.end());
    for (const NodeIndex index : nodes) {
        if (watch) {
            ET_TRY(watch());
        }
        const Node& node = method.node(index);
        const OperatorRow* row = operatorRow(node.op);
        if (row == nullptr) {
            return std::unexpected(reference::atNode(
                node, {.code = ErrorCode::InvalidArgument, .message = "no delegate computes it"}));
        }
        if (!skipped[index]) {
            ET_ASSIGN(integers, computesIntegers(node, *row));
            if (auto done = row->convert(*this, node, *row); !done) {
                return std::unexpected(reference::atNode(node, std::move(done).error()));
            }
            integers = false;
        }
        madeFor.resize(draft.nodes(), index);
    }
    ET_TRY(addOutputs());
    madeFor.resize(draft.nodes(), nodes.back());
    const auto atItsNode = [&](core::Error error) { return named(std::move(error)); };
    ET_ASSIGN(part.payload, draft.finish().transform_error(atItsNode));
    return std::move(part);
}

Layout PartConversion::layoutOf(std::string_view value) const {
    const auto known = values.find(value);
    const bool isThere =
        known != values.end() && (known->second[Layout::Plain] || known->second[Layout::ChannelsLast]);
    if (!isThere || integers) {
        const std::string_view source = nodesOfPart.sourceOf(value);
        if (!source.empty() && !nodesOfPart.isConstant(value)) {
            return layoutOf(source);
        }
    }
    if (!isThere) {
        return nodesOfPart.outsideLayout(value);
    }
    return known->second[Layout::Plain] ? Layout::Plain : Layout::ChannelsLast;
}

Layout PartConversion::commonLayout(std::span<const std::string_view> operands) const {
    bool last = false;
    for (const std::string_view operand : operands) {
        const bool constant = nodesOfPart.isConstant(operand);
        if (nodesOfPart.sizesOf(operand).size() != imageRank) {
            return Layout::Plain;
        }
        last = last || (!constant && layoutOf(operand) == Layout::ChannelsLast);
    }
    return last ? Layout::ChannelsLast : Layout::Plain;
}

void PartConversion::transpose(Places& places, std::string_view value, Layout to) {
    const bool toLast = to == Layout::ChannelsLast;
    const auto& order = toLast ? channelsLastOrder : fromChannelsLast;
    const ValueIndex from = *places[toLast ? Layout::Plain : Layout::ChannelsLast];
    places[to] = draft.value(nodesOfPart.describe(value, to));
    draft.add({.traits = nodeKind(std::to_underlying(NodeKind::Transpose)),
               .debugHandle = noDebugHandle,
               .inputs = {from},
               .outputs = {*places[to]},
               .fields = TransposeFields{.order = {order.begin(), order.end()}}});
}

Result<ValueIndex> PartConversion::read(std::string_view operand, Layout layout) {
    const std::string_view source = nodesOfPart.sourceOf(operand);
    const std::string_view value = integers && !source.empty() ? source : operand;
    Places& places = values[value];
    if (places[layout]) {
        return *places[layout];
    }
    const Layout other = layout == Layout::Plain ? Layout::ChannelsLast : Layout::Plain;
    if (!places[other]) {
        if (nodesOfPart.isConstant(value)) {
            ET_ASSIGN(places[layout], ownConstants.argument(value, layout));
            return *places[layout];
        }
        if (value == operand && !source.empty()) {
            ET_TRY(dequantize(places, value, layoutOf(source)));
        } else {
            takeInput(places, value);
        }
    }
    if (!places[layout]) {
        transpose(places, value, layout);
    }
    return *places[layout];
}

void PartConversion::takeInput(Places& places, std::string_view value) {
    const Layout outside = nodesOfPart.outsideLayout(value);
    places[outside] = draft.value(nodesOfPart.describe(value, outside));
    draft.markInput(*places[outside]);
    part.inputs.emplace_back(value);
}

void PartConversion::skip(const Node& node) {
    skipped[static_cast<std::size_t>(&node - method.graph().nodes.data())] = true;
}

/// The final value of a node after fusing; the following nodes that it covers are skipped.
std::string_view PartConversion::finish(std::string_view result, NodeKind kind, NodeProperties& words) {
    const PartGraph::Tail tail = nodesOfPart.tailOf(result, kind);
    if (tail.clamp != nullptr) {
        words.range = tail.range;
        skip(*tail.clamp);
    }
    if (!integers || tail.quantizer == nullptr) {
        return tail.result;
    }
    skip(*tail.quantizer);
    return firstResult(*tail.quantizer);
}

void PartConversion::give(const Node& from, NodeKind kind, std::vector<ValueIndex> inputs,
                          NodeProperties words) {
    const std::string_view result =
        finish(words.result.empty() ? firstResult(from) : words.result, kind, words);
    const DraftValue described = nodesOfPart.describe(result, words.layout);
    const auto valueOf = [&](std::size_t step) {
        DraftValue value = described;
        if (step < words.then.size()) {
            value.sizes = words.then[step].from;
        }
        return draft.value(std::move(value));
    };
    ValueIndex made = valueOf(0);
    draft.add({.traits = nodeKind(std::to_underlying(kind)),
               .debugHandle = handleOf(from),
               .flags = words.flags,
               .range = words.range,
               .inputs = std::move(inputs),
               .outputs = {made},
               .fields = std::move(words.fields)});
    for (std::size_t i = 0; i < words.then.size(); ++i) {
        const ValueIndex moved = valueOf(i + 1);
        draft.add({.traits = nodeKind(std::to_underlying(words.then[i].kind)),
                   .debugHandle = handleOf(from),
                   .inputs = {made},
                   .outputs = {moved},
                   .fields = std::move(words.then[i].fields)});
        made = moved;
    }
    values[result][words.layout] = made;
}

ValueIndex PartConversion::between(const Node& from, NodeKind kind, std::vector<ValueIndex> inputs,
                                   DraftValue value, NodeFields fields, std::uint32_t flags) {
    const ValueIndex made = draft.value(std::move(value));
    draft.add({.traits = nodeKind(std::to_underlying(kind)),
               .debugHandle = handleOf(from),
               .flags = flags,
               .inputs = std::move(inputs),
               .outputs = {made},
               .fields = std::move(fields)});
    return made;
}

DraftValue PartConversion::alike(ValueIndex value) const {
    const PayloadValue& known = draft.at(value);
    return {.datatype = known.datatype, .sizes = known.sizes, .quantization = known.quantization};
}

DraftValue PartConversion::joined(std::span<const ValueIndex> parts, std::uint32_t axis) const {
    const PayloadValue& first = draft.at(parts.front());
    DraftValue whole{.datatype = first.datatype, .sizes = first.sizes, .quantization = first.quantization};
    for (const ValueIndex each : parts.subspan(1)) {
        whole.sizes[axis] += draft.at(each).sizes[axis];
    }
    return whole;
}

Result<> PartConversion::pass(const Node& from, std::string_view operand) {
    NodeProperties words;
    const std::string_view result = finish(firstResult(from), NodeKind::Copy, words);
    const std::string_view source = integers ? nodesOfPart.sourceOf(operand) : operand;
    ET_TRY(read(operand, layoutOf(operand)));
    values[result] = values[source];
    return {};
}

Result<> PartConversion::addOutputs() {
    std::vector<std::string_view> leaving;
    for (const NodeIndex index : nodes) {
        for (const auto& output : method.node(index).outputs) {
            const std::string_view value = lowering::valueName(&output);
            if (!value.empty() && nodesOfPart.leaves(value)) {
                leaving.push_back(value);
            }
        }
    }
    // A value dequantized only for outside may be the first to read an input, and inputs come before outputs.
    for (const std::string_view value : leaving) {
        ET_TRY(read(value, nodesOfPart.outsideLayout(value)));
    }
    part.constants = ownConstants.takeArguments();
    for (const std::string_view value : leaving) {
        ET_TRY(addOutput(value));
    }
    return {};
}

/// An argument of the delegate is written once, and no argument is both read and written.
Result<> PartConversion::addOutput(std::string_view value) {
    const Layout layout = nodesOfPart.outsideLayout(value);
    ET_ASSIGN(ValueIndex index, read(value, layout));
    const PayloadValue& known = draft.at(index);
    if (known.isInput || known.isOutput || known.constant != 0) {
        const ValueIndex copy = draft.value(nodesOfPart.describe(value, layout));
        draft.add({.traits = nodeKind(std::to_underlying(NodeKind::Copy)),
                   .debugHandle = noDebugHandle,
                   .inputs = {index},
                   .outputs = {copy}});
        index = copy;
    }
    draft.markOutput(index);
    part.outputs.emplace_back(value);
    return {};
}

// Int8 computation.

Result<bool> PartConversion::computesIntegers(const Node& node, const OperatorRow& row) {
    const PartGraph::Tail tail = nodesOfPart.tailOf(firstResult(node), row.kind);
    const auto result = tail.quantizer == nullptr ? std::nullopt : tensorScale(method, *tail.quantizer);
    if (row.integers == Integers::None || !result || lowering::numberArgument(node, "other")) {
        return false;
    }
    if (row.integers == Integers::Product) {
        return hasIntegerProduct(node);
    }
    return std::ranges::all_of(operandsOf(node), [&](std::string_view operand) {
        const auto scale = nodesOfPart.quantizationOf(nodesOfPart.sourceOf(operand));
        return !nodesOfPart.sourceOf(operand).empty() && scale &&
               (row.integers == Integers::Any || isSame(*scale, *result));
    });
}

Result<bool> PartConversion::hasIntegerProduct(const Node& node) {
    const ProductOperands operands = productOperands(method, node);
    if (nodesOfPart.sourceOf(operands.input).empty() || nodesOfPart.isConstant(operands.input)) {
        return false;
    }
    ET_ASSIGN(const auto weight, ownConstants.integerWeight(operands.weight, operands.outputDim));
    return weight && !weight->fourBits && weight->blockSize == 0 && !operands.columns;
}

Result<ValueIndex> PartConversion::readDynamic(const Node& from, std::string_view source, Layout layout,
                                               std::uint32_t sharing) {
    ET_ASSIGN(const ValueIndex input, read(source, layout));
    DraftValue value = nodesOfPart.describe(source, layout);
    value.datatype = Datatype::QDInt8;
    value.quantization = PerTokenQuantization{.nonbatchDims = sharing};
    return between(from, NodeKind::Convert, {input}, std::move(value));
}

/// Converts an existing int8 value to floats, in its layout.
Result<> PartConversion::dequantize(Places& places, std::string_view value, Layout layout) {
    ET_ASSIGN(const ValueIndex input, read(nodesOfPart.sourceOf(value), layout));
    places[layout] = between(method.node(*method.producer(value)), NodeKind::Convert, {input},
                             nodesOfPart.describe(value, layout));
    return {};
}

}  // namespace et::backends::xnnpack
