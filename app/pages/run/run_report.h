#pragma once

#include "app/tasks/run/program_run.h"
#include "inspector/format/table.h"

#include <string>

// What `et-inspect run` prints.
namespace et::app {

/// All that is known of a run, as docs/json.md describes it.
[[nodiscard]] inspector::report::Dict runReport(const RunSettings& settings, const RunResult& result);

/// The same as text, with numbers rounded to six digits.
[[nodiscard]] std::string runText(const inspector::report::Dict& report);

}  // namespace et::app
