#include "backends/xnnpack/nodes/dimension_order.h"

#include <cstdint>
#include <numeric>
#include <utility>

namespace et::backends::xnnpack {
namespace {

/// Uses the first input with the same number of dimensions.
DimensionOrder orderOfResult(const Payload& payload, const PayloadNode& node,
                             const std::vector<DimensionOrder>& orders, std::size_t dimensions) {
    for (const ValueIndex input : node.inputs) {
        if (input == noValue || payload.value(input).constant != 0 || orders[input].size() != dimensions) {
            continue;
        }
        const auto follow = node.traits->functions->follow;
        return follow == nullptr ? orders[input] : follow(node, orders[input]);
    }
    return memoryOrder(dimensions);
}

}  // namespace

DimensionOrder memoryOrder(std::size_t dimensions) {
    DimensionOrder order(dimensions);
    std::iota(order.begin(), order.end(), std::uint8_t{0});
    return order;
}

std::vector<DimensionOrder> followOrders(const Payload& payload, std::vector<DimensionOrder> inputs) {
    std::vector<DimensionOrder> orders = std::move(inputs);
    for (const PayloadNode& node : payload.nodes) {
        for (const ValueIndex output : node.outputs) {
            orders[output] = orderOfResult(payload, node, orders, payload.value(output).sizes.size());
        }
    }
    return orders;
}

}  // namespace et::backends::xnnpack
