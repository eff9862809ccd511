#pragma once

#include "app/cli/options.h"
#include "app/tasks/machine/session_limits.h"

namespace et::app {

/// Adds --machine and --machine-threads.
void addLimitOptions(OptionList& options, LimitOptions& limits);

}  // namespace et::app
