#pragma once

#include "app/cli/options.h"
#include "app/tasks/run/watch.h"

namespace et::app {

/// Adds --progress and --progress-fd.
void addProgressOptions(OptionList& options, ProgressOptions& progress);

}  // namespace et::app
