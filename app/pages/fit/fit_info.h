#pragma once

#include "app/tasks/fit/fit_run.h"
#include "inspector/format/table.h"

#include <string>

namespace et::app {

/// Text for a terminal: the verdict on each method, obstacles with their remedies, and requirements.
[[nodiscard]] std::string fitText(const FitResult& fit);
/// docs/reference/json_programs.md, fit.
[[nodiscard]] inspector::report::Dict fitInfo(const FitResult& fit);

}  // namespace et::app
