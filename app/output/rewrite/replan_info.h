#pragma once

#include "app/output/cells.h"
#include "app/tasks/rewrite/replan_run.h"

#include <string>

namespace et::output {

/// Text for a terminal: each arena before and after, other changes, and how the result was checked.
[[nodiscard]] std::string replanText(const tasks::ReplanResult& result);
/// docs/reference/json_programs.md, replan.
[[nodiscard]] Dict replanInfo(const tasks::ReplanResult& result);

}  // namespace et::output
