#pragma once

#include "backends/xnnpack/payload/payload.h"
#include "runtime/executor/delegate_traits.h"

#include <span>
#include <vector>

namespace et::backends::xnnpack {

/// How the values of a payload lie to the graph that was lowered, by ValueIndex. An argument whose order is
/// not known has its dimensions in the order of memory.
[[nodiscard]] std::vector<executor::InnerValue> innerValues(const Payload& payload,
                                                            std::span<const DimensionOrder> arguments);

}  // namespace et::backends::xnnpack
