#pragma once

#include "app/cli/options.h"
#include "app/tasks/verify/verify_settings.h"

namespace et::app {

/// Adds all verify options.
void addVerifyOptions(OptionList& options, VerifySettings& settings);
/// Adds --rtol and --atol, which tolerancesOf() reads.
void addToleranceOptions(OptionList& options, VerifySettings& settings);

}  // namespace et::app
