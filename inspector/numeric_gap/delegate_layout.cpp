#include "inspector/numeric_gap/delegate_layout.h"

#include <numeric>
#include <utility>

namespace et::inspector {
namespace {

using namespace backends::xnnpack;
using core::Result;

DimensionOrder identity(std::size_t dimensions) {
    DimensionOrder order(dimensions);
    std::iota(order.begin(), order.end(), std::uint8_t{0});
    return order;
}

/// An argument has its dimensions in the order of memory.
DimensionOrder orderOfArgument(const program::Method& method, const program::DelegateCall& call,
                               const PayloadValue& value) {
    DimensionOrder order = identity(value.sizes.size());
    if (!value.externalId || *value.externalId >= call.args.size()) {
        return order;
    }
    const auto* info = std::get_if<program::TensorInfo>(&method.value(call.args[*value.externalId]));
    if (info == nullptr || info->dimOrder.size() != order.size()) {
        return order;
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
        order[info->dimOrder[i]] = static_cast<std::uint8_t>(i);
    }
    return order;
}

/// Behind a transpose that the graph knows nothing of.
DimensionOrder transposed(const DimensionOrder& order, const std::vector<std::uint32_t>& moved) {
    DimensionOrder place(moved.size());  // where a dimension went
    for (std::size_t i = 0; i < moved.size(); ++i) {
        place[moved[i] % moved.size()] = static_cast<std::uint8_t>(i);
    }
    DimensionOrder turned = order;
    for (std::uint8_t& each : turned) {
        each = place[each];
    }
    return turned;
}

DimensionOrder orderOfResult(const Payload& payload, const PayloadNode& node,
                             const std::vector<DimensionOrder>& orders, std::size_t dimensions) {
    for (const ValueIndex input : node.inputs) {
        if (input == noValue || payload.value(input).constant != 0) {
            continue;
        }
        const DimensionOrder& order = orders[input];
        const auto* fields = std::get_if<TransposeFields>(&node.fields);
        if (order.size() != dimensions) {
            continue;
        }
        if (fields != nullptr && fields->order.size() == dimensions) {
            return node.debugHandle == noDebugHandle ? transposed(order, fields->order)
                                                     : identity(dimensions);
        }
        return std::holds_alternative<ReshapeFields>(node.fields) ? identity(dimensions) : order;
    }
    return identity(dimensions);
}

}  // namespace

Result<DelegateLayout> readLayout(const program::Method& method, const program::DelegateCall& call) {
    ET_ASSIGN(Payload payload, Payload::read(method.delegate(call.delegate).payload));
    DelegateLayout layout{.payload = std::move(payload), .orders = {}};
    for (const PayloadValue& value : layout.payload.values) {
        layout.orders.push_back(value.isInput ? orderOfArgument(method, call, value)
                                              : identity(value.sizes.size()));
    }
    for (const PayloadNode& node : layout.payload.nodes) {
        for (const ValueIndex output : node.outputs) {
            layout.orders[output] =
                orderOfResult(layout.payload, node, layout.orders, layout.payload.value(output).sizes.size());
        }
    }
    return layout;
}

std::optional<QuantizationParameters> parametersOf(const PayloadValue& value) {
    const auto* found = std::get_if<PerTensorQuantization>(&value.quantization);
    if (found == nullptr) {
        return std::nullopt;
    }
    return QuantizationParameters{.scale = static_cast<double>(found->scale), .zeroPoint = found->zeroPoint};
}

}  // namespace et::inspector
