#pragma once

#include "app/tasks/surgery/replan_run.h"
#include "inspector/format/table.h"

#include <string>

namespace et::app {

/// Text for a terminal: each arena before and after, other changes, and how the result was checked.
[[nodiscard]] std::string replanText(const ReplanResult& result);
/// docs/reference/json_programs.md, replan.
[[nodiscard]] inspector::report::Dict replanInfo(const ReplanResult& result);

}  // namespace et::app
