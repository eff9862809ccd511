#pragma once

#include "app/cli/options.h"
#include "app/tasks/machine/session_limits.h"

namespace et::cli {

/// Adds --machine and --machine-threads.
void addLimitOptions(OptionList& options, tasks::LimitOptions& limits);

}  // namespace et::cli
