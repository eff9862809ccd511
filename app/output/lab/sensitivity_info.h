#pragma once

#include "app/tasks/lab/sensitivity_run.h"
#include "inspector/format/table.h"

#include <string>

namespace et::output {

/// Text for a terminal: the sites, most sensitive first, with the causes of their error.
[[nodiscard]] std::string sensitivityText(const tasks::SensitivityResult& result,
                                          inspector::format::Style style);
/// docs/reference/json_quantization.md, sensitivity.
[[nodiscard]] inspector::format::Dict sensitivityInfo(const tasks::SensitivityResult& result);

}  // namespace et::output
