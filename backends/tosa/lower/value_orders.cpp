#include "backends/tosa/lower/value_orders.h"

#include "backends/tosa/describe.h"
#include "backends/tosa/read_payload.h"
#include "runtime/core/dim_vector.h"
#include "runtime/executor/no_named_data.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

namespace et::backends::tosa {
namespace {

using executor::DimensionOrder;

/// Empty for more dimensions than tensors may have.
DimensionOrder unchangedOrder(std::size_t dimensions) {
    DimensionOrder order(dimensions <= core::maxDims ? dimensions : 0);
    std::iota(order.begin(), order.end(), std::uint8_t{0});
    return order;
}

/// The order after TRANSPOSE; its field states the source of each dimension.
DimensionOrder transposedOrder(const Operator& each, const DimensionOrder& order) {
    const auto* const sources = std::get_if<std::vector<std::int64_t>>(&each.fields.front());
    if (sources == nullptr || sources->size() != order.size()) {
        return unchangedOrder(order.size());
    }
    DimensionOrder result;
    for (const std::uint8_t dimension : order) {
        const auto place = std::ranges::find(*sources, std::int64_t{dimension});
        if (place == sources->end()) {
            return unchangedOrder(order.size());
        }
        result.push_back(static_cast<std::uint8_t>(place - sources->begin()));
    }
    return result;
}

/// Uses the first input with the same number of dimensions that is no constant.
DimensionOrder orderOfResult(const Operator& each, const std::vector<DimensionOrder>& orders,
                             std::size_t dimensions) {
    const std::string_view kind = each.info == nullptr ? std::string_view() : each.info->name;
    for (const TensorIndex input : each.inputs) {
        if (kind != "RESHAPE" && !orders[input].empty() && orders[input].size() == dimensions) {
            return kind == "TRANSPOSE" ? transposedOrder(each, orders[input]) : orders[input];
        }
    }
    return unchangedOrder(dimensions);
}

}  // namespace

core::Result<std::vector<executor::InnerValue>> innerValues(const program::Delegate& delegate) {
    ET_ASSIGN(const Payload payload, readPayload(delegate.payload));
    ET_ASSIGN(const core::ModelGraph graph, describe(delegate.payload, executor::NoNamedData()));
    const Block& block = payload.blocks.front();
    std::vector<DimensionOrder> orders(block.tensors.size());  // empty for constants
    for (const TensorIndex input : block.inputs) {
        orders[input] = unchangedOrder(block.tensors[input].sizes.size());
    }
    std::vector<executor::InnerValue> values;
    std::size_t position = 0;
    for (const Operator& each : block.operators) {
        if (each.isConstant()) {
            continue;
        }
        const core::GraphNode& node = graph.nodes()[position++];
        for (std::size_t i = 0; i < each.outputs.size(); ++i) {
            const TensorIndex output = each.outputs[i];
            orders[output] = orderOfResult(each, orders, block.tensors[output].sizes.size());
            values.push_back({.id = node.outputs[i].value, .order = orders[output]});
        }
    }
    return values;
}

}  // namespace et::backends::tosa
