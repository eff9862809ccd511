#pragma once

#include "app/tasks/lab/lower_run.h"
#include "inspector/format/table.h"

#include <string>

namespace et::app {

/// For people: what each method became, the delegates, and each node that stays out of them with the rule.
[[nodiscard]] std::string lowerText(const LowerResult& result);
/// docs/json.md, "JSON of a lowered program".
[[nodiscard]] inspector::report::Dict lowerInfo(const LowerResult& result);

}  // namespace et::app
