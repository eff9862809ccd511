#pragma once

#include "app/tasks/run/program_run.h"
#include "inspector/format/table.h"

#include <string>

// Output of `et-inspect run`.
namespace et::app {

/// The complete report of a run, as described in docs/reference/json.md.
[[nodiscard]] inspector::report::Dict runReport(const RunSettings& settings, const RunResult& result);

/// The same as text, with numbers rounded to six digits.
[[nodiscard]] std::string runText(const inspector::report::Dict& report);

}  // namespace et::app
