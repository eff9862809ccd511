#pragma once

#include "backends/xnnpack/payload/payload.h"
#include "inspector/numeric_gap/numeric_gap.h"
#include "runtime/core/result.h"
#include "runtime/program/method.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace et::inspector {

/// How the dimensions of a delegate's tensor lie to those of the graph: dimension i of the graph is dimension
/// order[i] of the delegate.
using DimensionOrder = std::vector<std::uint8_t>;

/// What a payload of XNNPACK says of its values, beyond what they hold. By backends::xnnpack::ValueIndex.
struct DelegateLayout {
    backends::xnnpack::Payload payload;
    std::vector<DimensionOrder> orders;
};

/// Follows the order of dimensions from the arguments of the call through the layout operators that lowering
/// added. Errors: as Payload::read().
[[nodiscard]] core::Result<DelegateLayout> readLayout(const program::Method& method,
                                                      const program::DelegateCall& call);

/// Of a value with one scale and zero point.
[[nodiscard]] std::optional<QuantizationParameters> parametersOf(
    const backends::xnnpack::PayloadValue& value);

}  // namespace et::inspector
