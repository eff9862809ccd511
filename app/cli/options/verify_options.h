#pragma once

#include "app/cli/options.h"
#include "app/tasks/verify/verify_settings.h"

namespace et::cli {

/// Adds all verify options.
void addVerifyOptions(OptionList& options, tasks::VerifySettings& settings);
/// Adds --rtol and --atol, which tolerancesOf() reads.
void addToleranceOptions(OptionList& options, tasks::VerifySettings& settings);

}  // namespace et::cli
