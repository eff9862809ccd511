#pragma once

#include "app/output/cells.h"
#include "app/tasks/lab/sensitivity_run.h"

#include <string>

namespace et::output {

/// Text for a terminal: the sites, most sensitive first, with the causes of their error.
[[nodiscard]] std::string sensitivityText(const tasks::SensitivityResult& result, Style style);
/// docs/reference/json_quantization.md, sensitivity.
[[nodiscard]] Dict sensitivityInfo(const tasks::SensitivityResult& result);

}  // namespace et::output
