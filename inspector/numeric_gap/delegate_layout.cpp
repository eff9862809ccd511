#include "inspector/numeric_gap/delegate_layout.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>

namespace et::inspector {
namespace {

/// Memory order of an argument's dimensions; empty if it is not a tensor.
executor::DimensionOrder orderOf(const program::Method& method, program::ValueId argument) {
    const auto* info = method.value(argument).as<program::TensorInfo>();
    if (info == nullptr) {
        return {};
    }
    executor::DimensionOrder order(info->dimOrder.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        order[info->dimOrder[i]] = static_cast<std::uint8_t>(i);
    }
    return order;
}

}  // namespace

const executor::InnerValue* DelegateLayout::find(std::uint32_t id) const {
    const auto found = std::ranges::find(values, id, &executor::InnerValue::id);
    return found == values.end() ? nullptr : &*found;
}

core::Result<DelegateLayout> readLayout(const executor::Backend& backend, const program::Method& method,
                                        const program::DelegateCall& call, const BorderOrders& borders) {
    std::vector<executor::DimensionOrder> arguments;
    for (const program::ValueId argument : call.args) {
        executor::DimensionOrder order = borders.of(argument);
        arguments.push_back(order.empty() ? orderOf(method, argument) : std::move(order));
    }
    ET_ASSIGN(auto values, backend.innerValues(method.delegate(call.delegate), arguments));
    return DelegateLayout{.values = std::move(values)};
}

std::optional<QuantizationParameters> parametersOf(const executor::InnerValue& value) {
    if (!value.scale) {
        return std::nullopt;
    }
    return QuantizationParameters{.scale = value.scale->scale, .zeroPoint = value.scale->zeroPoint};
}

}  // namespace et::inspector
