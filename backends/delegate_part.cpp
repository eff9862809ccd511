#include "backends/delegate_part.h"

#include "backends/xnnpack/format/cut_payload.h"
#include "backends/xnnpack/format/read_payload.h"
#include "backends/xnnpack/format/shrink_payload.h"
#include "backends/xnnpack/format/write_payload.h"
#include "backends/xnnpack/payload/payload.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace et::backends {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using core::ScalarType;
using xnnpack::Datatype;
using xnnpack::Payload;
using xnnpack::ValueIndex;

ScalarType scalarTypeOf(Datatype type) {
    switch (type) {
        case Datatype::Fp16:
            return ScalarType::Half;
        case Datatype::BFloat16:
            return ScalarType::BFloat16;
        case Datatype::QInt8:
            return ScalarType::Char;
        case Datatype::QUInt8:
            return ScalarType::Byte;
        case Datatype::Int32:
            return ScalarType::Int;
        default:
            return ScalarType::Float;
    }
}

Result<Payload> payloadOf(const program::Delegate& delegate) {
    if (delegate.backend != "XnnpackBackend") {
        return fail(ErrorCode::Unsupported,
                    fmt::format("delegates of {} cannot be split", core::printable(delegate.backend)));
    }
    return xnnpack::readPayload(delegate.payload);
}

std::vector<DelegateValue> describeAll(const Payload& payload, const std::vector<ValueIndex>& indices) {
    std::vector<DelegateValue> values;
    for (const ValueIndex index : indices) {
        const xnnpack::PayloadValue& value = payload.value(index);
        values.push_back({.id = value.id,
                          .dtype = scalarTypeOf(value.datatype),
                          .sizes = {value.sizes.begin(), value.sizes.end()},
                          .argument = value.externalId,
                          .isMade = !value.isInput});
    }
    return values;
}

DelegatePart partOf(const Payload& whole, const xnnpack::PayloadCut& cut) {
    DelegatePart part{.payload = xnnpack::writePayload(cut.payload),
                      .inputs = describeAll(whole, cut.inputs),
                      .outputs = describeAll(whole, cut.outputs),
                      .ids = {}};
    std::ranges::transform(cut.origins, std::back_inserter(part.ids),
                           [&](ValueIndex origin) { return whole.value(origin).id; });
    return part;
}

}  // namespace

Result<std::vector<DelegateNode>> nodesIn(const program::Delegate& delegate) {
    ET_ASSIGN(const Payload payload, payloadOf(delegate));
    std::vector<DelegateNode> nodes;
    for (const xnnpack::PayloadNode& each : payload.nodes) {
        nodes.push_back({.kind = std::string(each.traits->name),
                         .debugHandle = each.debugHandle == xnnpack::noDebugHandle
                                            ? std::nullopt
                                            : std::optional(each.debugHandle),
                         .operands = {},
                         .results = {},
                         .isQuantized = false,
                         .elements = 0});
        for (const ValueIndex input : each.inputs) {
            if (input != xnnpack::noValue && payload.value(input).constant == 0) {
                nodes.back().operands.push_back(payload.value(input).id);
            }
        }
        for (const ValueIndex output : each.outputs) {
            nodes.back().results.push_back(payload.value(output).id);
        }
        const xnnpack::PayloadValue& first = payload.value(each.outputs.front());
        nodes.back().isQuantized = first.datatype == Datatype::QInt8 || first.datatype == Datatype::QUInt8;
        std::uint64_t elements = 1;  // damaged files may overflow
        for (const std::uint32_t size : first.sizes) {
            elements *= size;
        }
        nodes.back().elements = static_cast<std::int64_t>(elements);
    }
    return nodes;
}

Result<std::vector<DelegateValue>> argumentsOf(const program::Delegate& delegate) {
    ET_ASSIGN(const Payload payload, payloadOf(delegate));
    return describeAll(payload, payload.externals);
}

Result<DelegatePart> takeNodes(const program::Delegate& delegate, std::span<const std::size_t> nodes) {
    ET_ASSIGN(const Payload whole, payloadOf(delegate));
    ET_ASSIGN(const xnnpack::PayloadCut cut, xnnpack::cutNodes(whole, nodes));
    return partOf(whole, cut);
}

Result<DelegatePart> takeValues(const program::Delegate& delegate, std::span<const std::uint32_t> ids) {
    ET_ASSIGN(const Payload whole, payloadOf(delegate));
    std::vector<ValueIndex> indices;
    for (const std::uint32_t id : ids) {
        // For an input that is quantized before use, nodes read the last value with its id, which no tensor
        // holds.
        const auto found = std::ranges::find(whole.values, id, &xnnpack::PayloadValue::id);
        indices.push_back(static_cast<ValueIndex>(found - whole.values.begin()));
    }
    ET_ASSIGN(const xnnpack::PayloadCut cut, xnnpack::cutValues(whole, indices));
    return partOf(whole, cut);
}

Result<std::vector<std::int64_t>> constantSizes(const program::Delegate& delegate) {
    ET_ASSIGN(const Payload payload, payloadOf(delegate));
    std::set<std::int64_t> sizes;
    for (const xnnpack::PayloadValue& value : payload.values) {
        if (value.constant != 0) {
            sizes.insert(value.sizes.begin(), value.sizes.end());
        }
    }
    return std::vector<std::int64_t>(sizes.upper_bound(1), sizes.end());
}

Result<std::vector<std::byte>> shrunkPayload(const program::Delegate& delegate, const PayloadChanges& changes,
                                             const executor::NamedDataSource& named) {
    ET_ASSIGN(Payload payload, payloadOf(delegate));
    return xnnpack::shrinkPayload(std::move(payload), changes, named);
}

}  // namespace et::backends
