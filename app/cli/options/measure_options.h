#pragma once

#include "app/cli/options.h"
#include "app/tasks/compare/measured_program.h"

namespace et::cli {

/// Adds --iterations and --warmup.
void addMeasureOptions(OptionList& options, MeasureOptions& measure);

}  // namespace et::cli
