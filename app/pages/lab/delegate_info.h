#pragma once

#include "app/tasks/lab/delegate_choice.h"
#include "inspector/format/table.h"

#include <string>
#include <vector>

namespace et::app {

/// Text for a terminal: which delegates are kept, with the measurements; empty if nothing was measured.
[[nodiscard]] std::string delegateChoiceText(const std::vector<DelegateChoice>& delegates);
/// docs/reference/json_quantization.md, optimize.
[[nodiscard]] inspector::report::List delegateChoiceInfo(const std::vector<DelegateChoice>& delegates);

}  // namespace et::app
