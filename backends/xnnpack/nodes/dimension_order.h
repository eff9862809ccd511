#pragma once

#include "backends/xnnpack/payload/payload.h"

#include <cstddef>
#include <vector>

namespace et::backends::xnnpack {

/// Dimensions in the order of memory.
[[nodiscard]] DimensionOrder memoryOrder(std::size_t dimensions);

/// Follows the order of dimensions from the inputs, of which `inputs` has the orders by ValueIndex, through
/// the layout operators that lowering added. By ValueIndex; shapes need not have been followed.
[[nodiscard]] std::vector<DimensionOrder> followOrders(const Payload& payload,
                                                       std::vector<DimensionOrder> inputs);

}  // namespace et::backends::xnnpack
