#pragma once

#include "runtime/core/result.h"

#include <chrono>
#include <string>
#include <string_view>

namespace et::inspector {

/// UTC, "2026-11-25T22:14:53Z": what a history orders its measurements by.
[[nodiscard]] std::string utcText(std::chrono::sys_seconds moment);

/// utcText() of a date ("2026-11-25": its beginning in UTC) or of a moment with its zone
/// ("2026-11-25T22:14:53+01:00", as `git show --format=%cI` prints it, or with Z). Definition: RFC 3339.
/// Errors: InvalidArgument (anything else, years before 1970).
[[nodiscard]] core::Result<std::string> utcText(std::string_view given);

}  // namespace et::inspector
