#pragma once

#include "backends/xnnpack/payload/payload.h"
#include "runtime/executor/delegate_description.h"

#include <span>
#include <vector>

namespace et::backends::xnnpack {

/// Memory layouts of the payload's values relative to the lowered graph, by ValueIndex. For an argument of
/// unknown order, dimensions are in memory order.
[[nodiscard]] std::vector<executor::InnerValue> innerValues(const Payload& payload,
                                                            std::span<const DimensionOrder> arguments);

}  // namespace et::backends::xnnpack
