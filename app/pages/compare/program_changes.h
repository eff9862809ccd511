#pragma once

#include "app/pages/compare/report.h"
#include "inspector/program_diff/program_diff.h"

namespace et::app {

/// Adds the changes inside the programs to the report; with `all`, also unchanged items.
void addProgramChanges(CompareReport& report, const inspector::ProgramDiff& diff, bool all,
                       const inspector::report::Style& style);

}  // namespace et::app
