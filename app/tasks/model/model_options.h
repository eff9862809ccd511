#pragma once

#include "app/tasks/sandbox/sandbox.h"
#include "backends/xnnpack/library/load_options.h"
#include "runtime/core/kv_cache.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace et::tasks {

class OptionList;

/// Where a model runs, and which results are sent back.
struct TargetOptions {
    std::string target;               ///< name or address of a target; empty: this process
    std::filesystem::path deviceLog;  ///< empty: none
    std::string keepIf;               ///< condition on executions whose events are sent back; empty: all
    std::uint32_t keepLast = 5;       ///< number of executions kept before each of them

    [[nodiscard]] bool isRemote() const { return !target.empty(); }
};

/// How a model is loaded, and its inputs.
struct ModelOptions {
    std::string method;               ///< empty: the only method, or "forward"
    std::vector<std::string> inputs;  ///< empty: from the bundled case, otherwise random
    std::optional<std::size_t> testCase;
    std::filesystem::path cases;  ///< bundled program with the cases; empty: the model itself
    std::vector<std::filesystem::path> tensorData;
    std::vector<std::filesystem::path> plugins;
    std::vector<std::string> backendsOff;    ///< names of disabled backends; programs that need them do not
                                             ///< load
    std::filesystem::path record;            ///< ETRecord for emulating missing backends; empty: none
    bool emulate = false;                    ///< require the record next to the program
    bool emulateFromAdjacentRecord = false;  ///< use the record next to the program if it exists
    std::size_t threads = 1;
    std::uint64_t seed = 0;
    core::KvCacheSettings caches;  ///< KV caches that the program expects from its host
    backends::xnnpack::LoadOptions xnnpack;
    std::optional<std::uint64_t> memoryBytes;
    std::optional<std::uint64_t> instructions;
    std::optional<double> timeoutSeconds;
    double executionSeconds = 60;  ///< limit per execution; 0: no limit
    SandboxMode sandbox = SandboxMode::Auto;
    bool sanitize = false;  ///< check the memory accesses of kernels
    TargetOptions on{};
};

/// Targets of options for which a command accepts several values, separated by commas; null: one value.
struct ModelLists {
    std::vector<std::size_t>* threadCounts = nullptr;  ///< the last one is also stored in the model's options
    std::vector<std::string>* methods = nullptr;       ///< instead of the model's options
};
/// Adds all options except the model itself, its bundled case and its emulation.
void addModelOptions(OptionList& options, ModelOptions& model, ModelLists lists = {});

// Subsets, for commands with their own input options.
/// Adds --input, --seed, the limits and the timeout.
void addInputOptions(OptionList& options, ModelOptions& model);
/// Adds --data, --plugin, --backend-off, --threads, addCacheOptions() and addXnnpackOptions().
void addLibraryOptions(OptionList& options, ModelOptions& model,
                       std::vector<std::size_t>* threadCounts = nullptr);
/// Adds --plugin, --backend-off and --threads.
void addRuntimeOptions(OptionList& options, ModelOptions& model,
                       std::vector<std::size_t>* threadCounts = nullptr);
/// Adds --kv-max-capacity, --kv-windows and --kv-storage-dtype.
void addCacheOptions(OptionList& options, core::KvCacheSettings& caches);
/// Adds --workspace-sharing-mode and --weight-cache.
void addXnnpackOptions(OptionList& options, backends::xnnpack::LoadOptions& xnnpack);
/// Adds --case and --cases.
void addCase(OptionList& options, ModelOptions& model);
/// Adds --cases.
void addCasesFile(OptionList& options, ModelOptions& model);
/// Adds --seed.
void addSeed(OptionList& options, ModelOptions& model);
/// Adds --etrecord and --emulate.
void addEmulationOptions(OptionList& options, ModelOptions& model);
/// Adds --emulate alone, for commands with their own --etrecord.
void addEmulateFlag(OptionList& options, ModelOptions& model);
/// Adds --max-memory and --max-instructions.
void addLimitOptions(OptionList& options, ModelOptions& model);
/// Adds --timeout and --max-time.
void addTimeout(OptionList& options, ModelOptions& model, std::string help);

/// Adds --sandbox.
void addSandbox(OptionList& options, ModelOptions& model);

/// Adds --on.
void addTarget(OptionList& options, ModelOptions& model);
/// Adds --on and the options for what a device sends back.
void addDeviceOptions(OptionList& options, ModelOptions& model);

}  // namespace et::tasks
