#pragma once

#include "app/tasks/run/model_options.h"

#include <string>

namespace CLI {
class App;
}

namespace et::cli {

/// Adds all but the model itself and its emulation.
void addModelOptions(CLI::App& app, ModelOptions& options);

// Parts of it, for verbs that have inputs of their own.
/// Adds --data, --plugin, --backend-off and --threads.
void addLibraryOptions(CLI::App& app, ModelOptions& options);
/// Adds --seed.
void addSeed(CLI::App& app, ModelOptions& options);
/// Adds --etrecord and --emulate.
void addEmulationOptions(CLI::App& app, ModelOptions& options);
/// Adds --emulate alone, for verbs that have an --etrecord of their own.
void addEmulateFlag(CLI::App& app, ModelOptions& options);
/// Adds --max-memory and --max-instructions.
void addLimitOptions(CLI::App& app, ModelOptions& options);
/// Adds --timeout, a number of seconds.
void addTimeout(CLI::App& app, ModelOptions& options, const std::string& help);

}  // namespace et::cli
