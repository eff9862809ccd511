#pragma once

#include "app/cli/options.h"
#include "app/tasks/compare/measured_program.h"

namespace et::app {

/// Adds --iterations and --warmup.
void addMeasureOptions(OptionList& options, MeasureOptions& measure);

/// Adds --launches and --time-limit.
void addLaunchOptions(OptionList& options, MeasureOptions& measure);

}  // namespace et::app
