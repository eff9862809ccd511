#pragma once

#include "app/tasks/lab/sensitivity_run.h"
#include "inspector/format/table.h"

#include <string>

namespace et::app {

/// Text for a terminal: the sites, most sensitive first, with the causes of their error.
[[nodiscard]] std::string sensitivityText(const SensitivityResult& result, inspector::report::Style style);
/// docs/reference/json_quantization.md, sensitivity.
[[nodiscard]] inspector::report::Dict sensitivityInfo(const SensitivityResult& result);

}  // namespace et::app
