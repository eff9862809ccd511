#pragma once

#include "app/wire/messages.h"
#include "runtime/core/result.h"

#include <string_view>

namespace et::devices {

/// Checks a condition such as "time > 20ms or nan" (app/expression); an empty text keeps all executions.
/// `last`: number of preceding runs that are kept with each match. Errors: InvalidArgument.
[[nodiscard]] core::Result<wire::KeepRule> parseKeepRule(std::string_view text, std::uint32_t last);

}  // namespace et::devices
