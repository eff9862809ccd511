#pragma once

#include "app/tasks/lab/lower_run.h"
#include "inspector/format/table.h"

#include <string>

namespace et::app {

/// Text for a terminal: the result of each method, the delegates, and each node outside them with the rule.
[[nodiscard]] std::string lowerText(const LowerResult& result);
/// docs/reference/json_programs.md, lower.
[[nodiscard]] inspector::report::Dict lowerInfo(const LowerResult& result);

}  // namespace et::app
