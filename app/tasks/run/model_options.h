#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace et::cli {

/// How a model is loaded and what it gets, as the command line says it.
struct ModelOptions {
    std::string method;               ///< empty: the one there is, or "forward"
    std::vector<std::string> inputs;  ///< empty: those of the bundled case, else random
    std::optional<std::size_t> testCase;
    std::vector<std::filesystem::path> tensorData;
    std::vector<std::filesystem::path> plugins;
    std::vector<std::string> backendsOff;  ///< names; programs that need them do not load
    std::filesystem::path record;          ///< what missing backends are emulated from; empty: none is given
    bool emulate = false;                  ///< look for the record beside the program, which must be there
    bool emulateFromBeside = false;        ///< look for it, and do without
    std::size_t threads = 1;
    std::uint64_t seed = 0;
    std::optional<std::uint64_t> memoryBytes;
    std::optional<std::uint64_t> instructions;
    std::optional<double> timeoutSeconds;
};

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
