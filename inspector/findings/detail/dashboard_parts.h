#pragma once

#include "inspector/findings/dashboard.h"
#include "inspector/findings/detail/rule_input.h"

namespace et::inspector::findings::detail {

/// Builds the dashboard from data that is already joined.
[[nodiscard]] Dashboard makeDashboard(const RuleInput& input);

}  // namespace et::inspector::findings::detail
