#pragma once

#include "app/output/cells.h"
#include "app/tasks/fit/fit_run.h"

#include <string>

namespace et::output {

/// Text for a terminal: the verdict on each method, obstacles with their remedies, and requirements.
[[nodiscard]] std::string fitText(const tasks::FitResult& fit);
/// docs/reference/json_programs.md, fit.
[[nodiscard]] Dict fitInfo(const tasks::FitResult& fit);

}  // namespace et::output
