#pragma once

#include "app/cli/console.h"
#include "app/cli/options.h"
#include "app/tasks/run/model_options.h"
#include "app/tasks/sandbox/sandbox.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <string>
#include <vector>

namespace et::app {

/// Where options of which a verb takes several, separated by commas, put them; null: it takes one.
struct ModelLists {
    std::vector<std::size_t>* threadCounts = nullptr;  ///< the last one goes into the model's options, too
    std::vector<std::string>* methods = nullptr;       ///< instead of the model's options
};
/// Adds all but the model itself, its bundled case and its emulation.
void addModelOptions(OptionList& options, ModelOptions& model, ModelLists lists = {});

// Parts of it, for verbs that have inputs of their own.
/// Adds --data, --plugin, --backend-off and --threads.
void addLibraryOptions(OptionList& options, ModelOptions& model,
                       std::vector<std::size_t>* threadCounts = nullptr);
/// Adds --data.
void addTensorData(OptionList& options, std::vector<std::filesystem::path>& files);
/// Adds --case.
void addCase(OptionList& options, ModelOptions& model);
/// Adds --seed.
void addSeed(OptionList& options, ModelOptions& model);
/// Adds --etrecord and --emulate.
void addEmulationOptions(OptionList& options, ModelOptions& model);
/// Adds --emulate alone, for verbs that have an --etrecord of their own.
void addEmulateFlag(OptionList& options, ModelOptions& model);
/// Adds --max-memory and --max-instructions.
void addLimitOptions(OptionList& options, ModelOptions& model);
/// Adds --timeout and --max-time, in seconds.
void addTimeout(OptionList& options, ModelOptions& model, std::string help);

/// Adds --sandbox.
void addSandbox(OptionList& options, ModelOptions& model);

/// Adds --on.
void addTarget(OptionList& options, ModelOptions& model);
/// Adds --on, and what comes back of a device.
void addDeviceOptions(OptionList& options, ModelOptions& model);

/// confine(), with a warning where not all of it holds.
[[nodiscard]] core::Result<> confineOrWarn(Console& console, SandboxMode mode, const SandboxOutputs& outputs);
/// The same, as the options of a model ask for it.
[[nodiscard]] core::Result<> confineModel(Console& console, const ModelOptions& model,
                                          const SandboxOutputs& outputs);

}  // namespace et::app
