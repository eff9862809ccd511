#pragma once

#include "app/output/cells.h"
#include "app/tasks/lab/delegate_choice.h"

#include <string>
#include <vector>

namespace et::output {

/// Text for a terminal: which delegates are kept, with the measurements; empty if nothing was measured.
[[nodiscard]] std::string delegateChoiceText(const std::vector<tasks::DelegateChoice>& delegates);
/// docs/reference/json_quantization.md, optimize.
[[nodiscard]] List delegateChoiceInfo(const std::vector<tasks::DelegateChoice>& delegates);

}  // namespace et::output
