#pragma once

#include "app/tasks/verify/verify_settings.h"

namespace CLI {
class App;
}

namespace et::cli {

/// Adds all of them.
void addVerifyOptions(CLI::App& app, VerifySettings& settings);
/// Adds only --rtol and --atol, which tolerancesOf() reads.
void addToleranceOptions(CLI::App& app, VerifySettings& settings);

}  // namespace et::cli
