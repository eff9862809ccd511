#pragma once

#include "app/cli/options.h"
#include "app/tasks/verify/verify_settings.h"

namespace et::app {

/// Adds all of them.
void addVerifyOptions(OptionList& options, VerifySettings& settings);
/// Adds only --rtol and --atol, which tolerancesOf() reads.
void addToleranceOptions(OptionList& options, VerifySettings& settings);

}  // namespace et::app
