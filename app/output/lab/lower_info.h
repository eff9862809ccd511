#pragma once

#include "app/output/cells.h"
#include "app/tasks/lab/lower_run.h"

#include <string>

namespace et::output {

/// Text for a terminal: the result of each method, the delegates, and each node outside them with the rule.
[[nodiscard]] std::string lowerText(const tasks::LowerResult& result);
/// docs/reference/json_programs.md, lower.
[[nodiscard]] Dict lowerInfo(const tasks::LowerResult& result);

}  // namespace et::output
