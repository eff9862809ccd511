#pragma once

#include "app/tasks/run/watch.h"

namespace CLI {
class App;
}

namespace et::cli {

/// Adds --progress and --progress-fd.
void addProgressOptions(CLI::App& app, ProgressOptions& options);

}  // namespace et::cli
