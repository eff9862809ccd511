#include "backends/xnnpack/lower/part_graph.h"

#include "backends/lowering/node_arguments.h"
#include "backends/lowering/tensor_specs.h"
#include "backends/xnnpack/lower/operator_arguments.h"
#include "backends/xnnpack/lower/quantizers.h"

#include <algorithm>
#include <utility>

namespace et::backends::xnnpack {

using etrecord::Node;
using lowering::firstResult;
using lowering::NodeIndex;

namespace {

std::vector<std::uint32_t> narrowed(std::span<const std::int64_t> sizes, Layout layout) {
    std::vector<std::uint32_t> out;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const bool moves = layout == Layout::ChannelsLast && sizes.size() == imageRank;
        const std::size_t from = moves ? channelsLastOrder[i] : i;
        out.push_back(static_cast<std::uint32_t>(sizes[from]));
    }
    return out;
}

}  // namespace

PartGraph::PartGraph(const lowering::EdgeMethod& of, const Constants& known, std::span<const NodeIndex> nodes)
    : method(of), constants(known), inside(of.graph().nodes.size(), false) {
    for (const NodeIndex node : nodes) {
        inside[node] = true;
    }
}

std::vector<std::int64_t> PartGraph::sizesOf(std::string_view value) const {
    const auto spec = lowering::specOf(method.graph(), value);
    return spec ? spec->sizes : std::vector<std::int64_t>();
}

Datatype PartGraph::datatypeOf(std::string_view value) const {
    const auto* meta = method.meta(value);
    switch (meta == nullptr ? core::ScalarType::Float : core::ScalarType{meta->scalarType}) {
        case core::ScalarType::Char:
            return Datatype::QInt8;
        case core::ScalarType::Half:
            return Datatype::Fp16;
        case core::ScalarType::BFloat16:
            return Datatype::BFloat16;
        default:
            return Datatype::Fp32;
    }
}

Layout PartGraph::outsideLayout(std::string_view value) const {
    const auto* meta = method.meta(value);
    const bool moved = meta != nullptr && meta->sizes.size() == imageRank &&
                       std::ranges::equal(lowering::dimOrderOf(*meta), channelsLastOrder);
    return moved ? Layout::ChannelsLast : Layout::Plain;
}

DraftValue PartGraph::describe(std::string_view value, Layout layout) const {
    DraftValue described{
        .datatype = datatypeOf(value), .sizes = narrowed(sizesOf(value), layout), .quantization = {}};
    if (described.datatype == Datatype::QInt8) {
        described.quantization = quantizationOf(value).value_or(PerTensorQuantization{.scale = 1});
    }
    return described;
}

bool PartGraph::contains(const Node& node) const {
    return inside[static_cast<std::size_t>(&node - method.graph().nodes.data())];
}

bool PartGraph::leaves(std::string_view value) const {
    return method.isOutput(value) ||
           std::ranges::any_of(method.users(value), [&](NodeIndex user) { return !inside[user]; });
}

const Node* PartGraph::onlyReader(std::string_view value) const {
    const auto users = method.users(value);
    return users.size() == 1 && !leaves(value) ? &method.node(users.front()) : nullptr;
}

std::string_view PartGraph::sourceOf(std::string_view value) const {
    const auto producer = method.producer(value);
    const bool isInside = producer && inside[*producer];
    return isInside || constants.has(value) ? quantizedSource(method, value) : std::string_view();
}

std::optional<PerTensorQuantization> PartGraph::quantizationOf(std::string_view value) const {
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

PerTensorQuantization PartGraph::scaleOf(std::string_view operand) const {
    return quantizationOf(sourceOf(operand)).value_or(PerTensorQuantization{.scale = 1});
}

PartGraph::Tail PartGraph::tailOf(std::string_view result, NodeKind kind) const {
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

}  // namespace et::backends::xnnpack
