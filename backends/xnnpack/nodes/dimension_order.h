#pragma once

#include "backends/xnnpack/payload/payload.h"

#include <cstddef>
#include <vector>

namespace et::backends::xnnpack {

/// Identity order: dimensions in memory order.
[[nodiscard]] DimensionOrder memoryOrder(std::size_t dimensions);

/// Propagates the dimension order of the inputs, given by ValueIndex in `inputs`, through the layout
/// operators added by lowering. Returns orders by ValueIndex; does not need propagated shapes.
[[nodiscard]] std::vector<DimensionOrder> followOrders(const Payload& payload,
                                                       std::vector<DimensionOrder> inputs);

}  // namespace et::backends::xnnpack
