#pragma once

#include "app/output/cells.h"
#include "app/output/compare/report.h"
#include "inspector/program_diff/program_diff.h"

namespace et::output {

/// Adds the changes inside the programs to the report; with `all`, also unchanged items.
void addProgramChanges(CompareReport& report, const inspector::ProgramDiff& diff, bool all,
                       const Style& style);

}  // namespace et::output
