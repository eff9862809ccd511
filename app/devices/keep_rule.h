#pragma once

#include "app/wire/messages.h"
#include "runtime/core/result.h"

#include <string_view>

namespace et::devices {

/// "time>20ms" (ns, us, ms, s), "nan"; an empty text keeps all. `last`: how many runs before such a one.
/// Errors: InvalidArgument.
[[nodiscard]] core::Result<wire::KeepRule> keepRuleOf(std::string_view text, std::uint32_t last);

}  // namespace et::devices
