#pragma once

#include "app/tasks/fit/fit_run.h"
#include "inspector/format/table.h"

#include <string>

namespace et::app {

/// For people: the verdict on each method, what is in the way and what would clear it, and what it needs.
[[nodiscard]] std::string fitText(const FitResult& fit);
/// docs/json.md, "JSON of a fit".
[[nodiscard]] inspector::report::Dict fitInfo(const FitResult& fit);

}  // namespace et::app
