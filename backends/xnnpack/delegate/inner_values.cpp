#include "backends/xnnpack/delegate/inner_values.h"

#include "backends/xnnpack/nodes/dimension_order.h"

#include <optional>
#include <utility>
#include <variant>

namespace et::backends::xnnpack {
namespace {

DimensionOrder orderOfArgument(const PayloadValue& value, std::span<const DimensionOrder> arguments) {
    const bool isKnown = value.isInput && value.externalId && *value.externalId < arguments.size() &&
                         arguments[*value.externalId].size() == value.sizes.size();
    return isKnown ? arguments[*value.externalId] : memoryOrder(value.sizes.size());
}

std::optional<executor::ValueScale> scaleOf(const PayloadValue& value) {
    const auto* found = std::get_if<PerTensorQuantization>(&value.quantization);
    if (found == nullptr) {
        return std::nullopt;
    }
    return executor::ValueScale{.scale = static_cast<double>(found->scale), .zeroPoint = found->zeroPoint};
}

}  // namespace

std::vector<executor::InnerValue> innerValues(const Payload& payload,
                                              std::span<const DimensionOrder> arguments) {
    std::vector<DimensionOrder> orders;
    for (const PayloadValue& value : payload.values) {
        orders.push_back(orderOfArgument(value, arguments));
    }
    orders = followOrders(payload, std::move(orders));
    std::vector<executor::InnerValue> values;
    for (std::size_t i = 0; i < payload.values.size(); ++i) {
        values.push_back(
            {.id = payload.values[i].id, .order = std::move(orders[i]), .scale = scaleOf(payload.values[i])});
    }
    return values;
}

}  // namespace et::backends::xnnpack
