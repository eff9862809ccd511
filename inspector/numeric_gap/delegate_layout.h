#pragma once

#include "inspector/numeric_gap/border_orders.h"
#include "inspector/numeric_gap/numeric_gap.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"
#include "runtime/program/method.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace et::inspector {

/// A backend's description of the values inside one delegate call, apart from their contents.
struct DelegateLayout {
    std::vector<executor::InnerValue> values;

    /// Finds a value by its id in taps; null if unknown.
    [[nodiscard]] const executor::InnerValue* find(std::uint32_t id) const;
};

/// Queries the backend, passing the dimension orders of the call's arguments: those of `borders`, else those
/// of the method's tensors. Errors: as executor::Backend::innerValues().
[[nodiscard]] core::Result<DelegateLayout> readLayout(const executor::Backend& backend,
                                                      const program::Method& method,
                                                      const program::DelegateCall& call,
                                                      const BorderOrders& borders = {});

/// Quantization parameters of a value with a single scale and zero point.
[[nodiscard]] std::optional<QuantizationParameters> parametersOf(const executor::InnerValue& value);

}  // namespace et::inspector
