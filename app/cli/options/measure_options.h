#pragma once

#include "app/tasks/compare/measured_program.h"

namespace CLI {
class App;
}

namespace et::cli {

/// Adds --iterations and --warmup.
void addMeasureOptions(CLI::App& app, MeasureOptions& options);

}  // namespace et::cli
