#pragma once

#include "inspector/findings/dashboard.h"
#include "inspector/findings/detail/rule_input.h"

namespace et::inspector::detail {

/// Of what is joined already.
[[nodiscard]] Dashboard dashboardOf(const RuleInput& input);

}  // namespace et::inspector::detail
