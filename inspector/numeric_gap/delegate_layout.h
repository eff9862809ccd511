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

/// What a backend says of the values inside of one call of a delegate, beyond what they hold.
struct DelegateLayout {
    std::vector<executor::InnerValue> values;

    /// By its id in taps; null: not known.
    [[nodiscard]] const executor::InnerValue* find(std::uint32_t id) const;
};

/// Asks the backend, which gets the orders of dimensions of the call's arguments: those of `borders`, else
/// those of the method's tensors. Errors: as executor::Backend::innerValues().
[[nodiscard]] core::Result<DelegateLayout> readLayout(const executor::Backend& backend,
                                                      const program::Method& method,
                                                      const program::DelegateCall& call,
                                                      const BorderOrders& borders = {});

/// Of a value with one scale and zero point.
[[nodiscard]] std::optional<QuantizationParameters> parametersOf(const executor::InnerValue& value);

}  // namespace et::inspector
