#pragma once

#include "app/cli/options.h"
#include "app/tasks/base/progress_reporter.h"

namespace et::cli {

/// Adds --progress and --progress-fd.
void addProgressOptions(OptionList& options, tasks::ProgressOptions& progress);

}  // namespace et::cli
