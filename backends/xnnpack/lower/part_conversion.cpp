#include "backends/xnnpack/lower/part_conversion.h"

#include "backends/lowering/node_arguments.h"
#include "backends/lowering/permute_elements.h"
#include "backends/lowering/tensor_specs.h"
#include "backends/reference/plan.h"
#include "backends/xnnpack/lower/operator_rows.h"
#include "backends/xnnpack/lower/quantizers.h"
#include "backends/xnnpack/nodes/node_table.h"
#include "runtime/kernels/half_conversion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace et::backends::xnnpack {

using core::ErrorCode;
using core::fail;
using core::Result;
using etrecord::Node;
using lowering::firstResult;

namespace {

constexpr std::array<std::uint8_t, 4> toChannelsLast{0, 2, 3, 1};
constexpr std::array<std::uint8_t, 4> fromChannelsLast{0, 3, 1, 2};

std::vector<std::uint32_t> narrowed(std::span<const std::int64_t> sizes, Layout layout) {
    std::vector<std::uint32_t> out;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const bool moves = layout == Layout::ChannelsLast && sizes.size() == imageRank;
        const std::size_t from = moves ? toChannelsLast[i] : i;
        out.push_back(static_cast<std::uint32_t>(sizes[from]));
    }
    return out;
}

std::uint32_t handleOf(const Node& node) {
    return node.debugHandles.empty() ? noDebugHandle
                                     : static_cast<std::uint32_t>(node.debugHandles.front().value);
}

bool isComputedType(core::ScalarType type) {
    return type == core::ScalarType::Float || type == core::ScalarType::Half ||
           type == core::ScalarType::Char;
}

}  // namespace

PartConversion::PartConversion(lowering::EdgeMethod& of, Constants& known, std::span<const NodeIndex> which,
                               lowering::WeightStore& weightStore)
    : method(of),
      constants(known),
      store(weightStore),
      nodes(which),
      inside(of.graph().nodes.size(), false),
      skipped(inside.size(), false) {
    for (const NodeIndex node : nodes) {
        inside[node] = true;
    }
}

/// Names the graph's node for an error in a node of the payload.
core::Error PartConversion::named(core::Error error) const {
    const auto node = PayloadDraft::nodeOf(error);
    return node < madeFor.size() ? reference::atNode(method.node(madeFor[node]), std::move(error)) : error;
}

Result<lowering::DelegatedPart> PartConversion::run() {
    part.backend = "XnnpackBackend";
    part.nodes.assign(nodes.begin(), nodes.end());
    for (const NodeIndex index : nodes) {
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

std::vector<std::int64_t> PartConversion::sizesOf(std::string_view value) const {
    const auto spec = lowering::specOf(method.graph(), value);
    return spec ? spec->sizes : std::vector<std::int64_t>();
}

Datatype PartConversion::datatypeOf(std::string_view value) const {
    const auto* meta = method.meta(value);
    if (meta != nullptr && meta->scalarType == std::to_underlying(core::ScalarType::Char)) {
        return Datatype::QInt8;
    }
    const bool half = meta != nullptr && meta->scalarType == std::to_underlying(core::ScalarType::Half);
    return half ? Datatype::Fp16 : Datatype::Fp32;
}

Layout PartConversion::outsideLayout(std::string_view value) const {
    const auto* meta = method.meta(value);
    const bool moved = meta != nullptr && meta->sizes.size() == imageRank &&
                       std::ranges::equal(lowering::dimOrderOf(*meta), toChannelsLast);
    return moved ? Layout::ChannelsLast : Layout::Plain;
}

Layout PartConversion::layoutOf(std::string_view value) const {
    const auto known = values.find(value);
    const bool isThere =
        known != values.end() && (known->second[Layout::Plain] || known->second[Layout::ChannelsLast]);
    if (!isThere || integers) {
        const std::string_view source = sourceOf(value);
        if (!source.empty() && !constants.has(value)) {
            return layoutOf(source);
        }
    }
    if (!isThere) {
        return outsideLayout(value);
    }
    return known->second[Layout::Plain] ? Layout::Plain : Layout::ChannelsLast;
}

Layout PartConversion::commonLayout(std::span<const std::string_view> operands) const {
    bool last = false;
    for (const std::string_view operand : operands) {
        const bool constant = constants.has(operand);
        if (sizesOf(operand).size() != imageRank) {
            return Layout::Plain;
        }
        last = last || (!constant && layoutOf(operand) == Layout::ChannelsLast);
    }
    return last ? Layout::ChannelsLast : Layout::Plain;
}

DraftValue PartConversion::describe(std::string_view value, Layout layout) const {
    DraftValue described{
        .datatype = datatypeOf(value), .sizes = narrowed(sizesOf(value), layout), .quantization = {}};
    if (described.datatype == Datatype::QInt8) {
        described.quantization = quantizationOf(value).value_or(PerTensorQuantization{.scale = 1});
    }
    return described;
}

void PartConversion::transpose(Places& places, std::string_view value, Layout to) {
    const bool toLast = to == Layout::ChannelsLast;
    const auto& order = toLast ? toChannelsLast : fromChannelsLast;
    const ValueIndex from = *places[toLast ? Layout::Plain : Layout::ChannelsLast];
    places[to] = draft.value(describe(value, to));
    draft.add({.traits = nodeKind(std::to_underlying(NodeKind::Transpose)),
               .debugHandle = noDebugHandle,
               .inputs = {from},
               .outputs = {*places[to]},
               .fields = TransposeFields{.order = {order.begin(), order.end()}}});
}

Result<ValueIndex> PartConversion::read(std::string_view operand, Layout layout) {
    const std::string_view source = sourceOf(operand);
    const std::string_view value = integers && !source.empty() ? source : operand;
    Places& places = values[value];
    if (places[layout]) {
        return *places[layout];
    }
    const Layout other = layout == Layout::Plain ? Layout::ChannelsLast : Layout::Plain;
    if (!places[other]) {
        if (constants.has(value)) {
            ET_ASSIGN(places[layout], constant(value, layout));
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
    const Layout outside = outsideLayout(value);
    places[outside] = draft.value(describe(value, outside));
    draft.markInput(*places[outside]);
    part.inputs.emplace_back(value);
}

bool PartConversion::leaves(std::string_view value) const {
    return method.isOutput(value) ||
           std::ranges::any_of(method.users(value), [&](NodeIndex user) { return !inside[user]; });
}

bool PartConversion::contains(const Node& node) const {
    return inside[static_cast<std::size_t>(&node - method.graph().nodes.data())];
}

const Node* PartConversion::onlyReader(std::string_view value) const {
    const auto users = method.users(value);
    return users.size() == 1 && !leaves(value) ? &method.node(users.front()) : nullptr;
}

void PartConversion::skip(const Node& node) {
    skipped[static_cast<std::size_t>(&node - method.graph().nodes.data())] = true;
}

/// The final value of a node after fusing; the following nodes that it covers are skipped.
std::string_view PartConversion::finish(std::string_view result, NodeKind kind, NodeProperties& words) {
    const Tail tail = tailOf(result, kind);
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
    const DraftValue described = describe(result, words.layout);
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
    const std::string_view source = integers ? sourceOf(operand) : operand;
    ET_TRY(read(operand, layoutOf(operand)));
    values[result] = values[source];
    return {};
}

Result<> PartConversion::addOutputs() {
    std::vector<std::string_view> leaving;
    for (const NodeIndex index : nodes) {
        for (const auto& output : method.node(index).outputs) {
            const std::string_view value = lowering::valueName(&output);
            if (!value.empty() && leaves(value)) {
                leaving.push_back(value);
            }
        }
    }
    // A value dequantized only for outside may be the first to read an input, and inputs come before outputs.
    for (const std::string_view value : leaving) {
        ET_TRY(read(value, outsideLayout(value)));
    }
    for (const ValueIndex constant : constantInputs) {
        draft.markInput(constant);
    }
    for (const std::string_view value : leaving) {
        ET_TRY(addOutput(value));
    }
    return {};
}

/// An argument of the delegate is written once, and no argument is both read and written.
Result<> PartConversion::addOutput(std::string_view value) {
    const Layout layout = outsideLayout(value);
    ET_ASSIGN(ValueIndex index, read(value, layout));
    const PayloadValue& known = draft.at(index);
    if (known.isInput || known.isOutput || known.constant != 0) {
        const ValueIndex copy = draft.value(describe(value, layout));
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

// Constants that a part reads: weights, which nodes pack, and arguments, which they read in each run.

Result<std::vector<float>> PartConversion::floats(std::string_view value) {
    ET_ASSIGN(const auto tensor, constants.get(value));
    std::vector<float> out(static_cast<std::size_t>(tensor.view.numel()));
    if (tensor.view.dtype() == core::ScalarType::Float) {
        std::memcpy(out.data(), tensor.view.raw(), tensor.view.bytes());
    } else if (tensor.view.dtype() == core::ScalarType::Half) {
        kernels::floatsFrom(tensor.view.data<core::Half>(), out.data(), out.size());
    } else {
        return fail(ErrorCode::Unsupported, fmt::format("the constant \"{}\" is {}", core::printable(value),
                                                        core::scalarTypeName(tensor.view.dtype())));
    }
    return out;
}

/// A constant that nodes read in each run.
Result<reference::ReferenceTensor> PartConversion::argument(std::string_view value) {
    ET_ASSIGN(auto tensor, constants.get(value));
    const auto* meta = method.meta(value);
    if (meta == nullptr || meta->scalarType != std::to_underlying(tensor.view.dtype()) ||
        !isComputedType(tensor.view.dtype())) {
        return fail(ErrorCode::Unsupported, fmt::format("the constant \"{}\" is {}", core::printable(value),
                                                        core::scalarTypeName(tensor.view.dtype())));
    }
    return tensor;
}

Result<ValueIndex> PartConversion::constant(std::string_view value, Layout layout) {
    ET_ASSIGN(const auto tensor, argument(value));
    const std::vector<std::int64_t> sizes(tensor.view.sizes().begin(), tensor.view.sizes().end());
    const core::Bytes bytes = tensor.view.rawBytes();
    lowering::PartConstant kept{.dtype = tensor.view.dtype(), .sizes = {}, .elements = {}};
    if (layout == Layout::ChannelsLast) {
        constexpr std::array<std::uint8_t, imageRank> order{0, 2, 3, 1};
        kept.elements = lowering::permuteElements(bytes, tensor.view.elementSize(), sizes, order);
    } else {
        kept.elements.assign(bytes.begin(), bytes.end());
    }
    return addConstant(describe(value, layout), std::move(kept));
}

Result<ValueIndex> PartConversion::perChannel(std::string_view value, std::size_t rank, Layout layout) {
    ET_ASSIGN(const auto tensor, argument(value));
    const core::Bytes bytes = tensor.view.rawBytes();
    DraftValue made{.datatype = datatypeOf(value),
                    .sizes = {static_cast<std::uint32_t>(tensor.view.numel())},
                    .quantization = {}};
    const bool channelsLast = layout == Layout::ChannelsLast && rank == imageRank;
    if (!channelsLast && rank > 1) {
        made.sizes.resize(rank - 1, 1);
    }
    return addConstant(std::move(made),
                       {.dtype = tensor.view.dtype(), .sizes = {}, .elements = {bytes.begin(), bytes.end()}});
}

/// Sizes are in memory order.
ValueIndex PartConversion::addConstant(DraftValue value, lowering::PartConstant constant) {
    constant.sizes.assign(value.sizes.begin(), value.sizes.end());
    part.constants.push_back(std::move(constant));
    constantInputs.push_back(draft.value(std::move(value)));
    return constantInputs.back();
}

ValueIndex PartConversion::number(float number, Datatype datatype) {
    const auto half = core::Half(number);
    const core::Bytes bytes = datatype == Datatype::Fp16 ? std::as_bytes(std::span(&half, 1))
                                                         : std::as_bytes(std::span(&number, 1));
    return addConstant(
        {.datatype = datatype, .sizes = {}, .quantization = {}},
        {.dtype = datatype == Datatype::Fp16 ? core::ScalarType::Half : core::ScalarType::Float,
         .sizes = {},
         .elements = {bytes.begin(), bytes.end()}});
}

ValueIndex PartConversion::weights(std::span<const float> elements, std::vector<std::uint32_t> sizes,
                                   std::string_view hint, Datatype datatype) {
    std::vector<core::Half> halves;
    core::Bytes bytes = std::as_bytes(elements);
    if (datatype == Datatype::Fp16) {
        halves.resize(elements.size());
        kernels::floatsTo(elements.data(), halves.data(), halves.size());
        bytes = std::as_bytes(std::span(halves));
    }
    return draft.constant({.datatype = datatype, .sizes = std::move(sizes), .quantization = {}},
                          store.add(bytes, hint));
}

}  // namespace et::backends::xnnpack
