#pragma once

#include "app/pages/compare/report.h"
#include "inspector/program_diff/program_diff.h"

namespace et::app {

/// Adds to the report what changed inside the programs; `all`: what is the same, too.
void addProgramChanges(CompareReport& report, const inspector::ProgramDiff& diff, bool all,
                       const inspector::report::Style& style);

}  // namespace et::app
