#pragma once

#include "app/output/cells.h"
#include "app/tasks/run/program_run.h"

#include <string>

// Output of `et-inspect run`.
namespace et::output {

/// The complete report of a run, as described in docs/reference/json.md.
[[nodiscard]] Dict runReport(const tasks::RunSettings& settings, const tasks::RunResult& result);

/// The same as text, with numbers rounded to six digits.
[[nodiscard]] std::string runText(const Dict& report);

}  // namespace et::output
