#pragma once

#include "runtime/core/result.h"

#include <chrono>
#include <string>
#include <string_view>

namespace et::inspector {

/// UTC, "2026-11-25T22:14:53Z": the sort key of a history's measurements.
[[nodiscard]] std::string utcText(std::chrono::sys_seconds moment);

/// utcText() of a date ("2026-11-25": its beginning in UTC) or of a date-time with a zone
/// ("2026-11-25T22:14:53+01:00", as printed by `git show --format=%cI`, or with Z). Definition: RFC 3339.
/// Errors: InvalidArgument (anything else, years before 1970).
[[nodiscard]] core::Result<std::string> utcText(std::string_view given);

}  // namespace et::inspector
