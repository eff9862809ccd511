#pragma once

#include "app/cli/console.h"
#include "app/cli/options.h"
#include "app/tasks/model/model_options.h"
#include "app/tasks/sandbox/sandbox.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <string>
#include <vector>

namespace et::cli {

/// Targets of options for which a command accepts several values, separated by commas; null: one value.
struct ModelLists {
    std::vector<std::size_t>* threadCounts = nullptr;  ///< the last one is also stored in the model's options
    std::vector<std::string>* methods = nullptr;       ///< instead of the model's options
};
/// Adds all options except the model itself, its bundled case and its emulation.
void addModelOptions(OptionList& options, tasks::ModelOptions& model, ModelLists lists = {});

// Subsets, for commands with their own input options.
/// Adds --input, --seed, the limits and the timeout.
void addInputOptions(OptionList& options, tasks::ModelOptions& model);
/// Adds --data, --plugin, --backend-off and --threads.
void addLibraryOptions(OptionList& options, tasks::ModelOptions& model,
                       std::vector<std::size_t>* threadCounts = nullptr);
/// Adds --plugin, --backend-off and --threads.
void addRuntimeOptions(OptionList& options, tasks::ModelOptions& model,
                       std::vector<std::size_t>* threadCounts = nullptr);
/// Adds --data.
void addTensorData(OptionList& options, std::vector<std::filesystem::path>& files);
/// Adds --case.
void addCase(OptionList& options, tasks::ModelOptions& model);
/// Adds --seed.
void addSeed(OptionList& options, tasks::ModelOptions& model);
/// Adds --etrecord and --emulate.
void addEmulationOptions(OptionList& options, tasks::ModelOptions& model);
/// Adds --emulate alone, for commands with their own --etrecord.
void addEmulateFlag(OptionList& options, tasks::ModelOptions& model);
/// Adds --max-memory and --max-instructions.
void addLimitOptions(OptionList& options, tasks::ModelOptions& model);
/// Adds --timeout and --max-time, in seconds.
void addTimeout(OptionList& options, tasks::ModelOptions& model, std::string help);

/// Adds --sandbox.
void addSandbox(OptionList& options, tasks::ModelOptions& model);

/// Adds --on.
void addTarget(OptionList& options, tasks::ModelOptions& model);
/// Adds --on and the options for what a device sends back.
void addDeviceOptions(OptionList& options, tasks::ModelOptions& model);

/// Calls confine(), and warns if the sandbox is incomplete.
[[nodiscard]] core::Result<> confineOrWarn(Console& console, tasks::SandboxMode mode,
                                           const tasks::SandboxOutputs& outputs);
/// Likewise, with the model's sandbox options.
[[nodiscard]] core::Result<> confineModel(Console& console, const tasks::ModelOptions& model,
                                          const tasks::SandboxOutputs& outputs);

}  // namespace et::cli
