#pragma once

#include "app/tasks/sandbox/sandbox.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace et::app {

/// Where a model runs, and what comes back of it.
struct TargetOptions {
    std::string target;               ///< the name of a target, or its address; empty: this process
    std::filesystem::path deviceLog;  ///< empty: none
    std::string keepIf;               ///< which executions bring their events back; empty: all
    std::uint32_t keepLast = 5;       ///< and how many before each of them

    [[nodiscard]] bool isElsewhere() const { return !target.empty(); }
};

/// How a model is loaded and what it gets.
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
    double executionSeconds = 60;  ///< of one execution; 0: no limit
    SandboxMode sandbox = SandboxMode::Off;
    TargetOptions on{};
};

}  // namespace et::app
