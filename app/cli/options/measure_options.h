#pragma once

#include "app/cli/options.h"
#include "app/tasks/compare/measured_program.h"

namespace et::cli {

/// Adds --iterations and --warmup.
void addMeasureOptions(OptionList& options, tasks::MeasureOptions& measure);

/// Adds --launches and --time-limit.
void addLaunchOptions(OptionList& options, tasks::MeasureOptions& measure);

}  // namespace et::cli
