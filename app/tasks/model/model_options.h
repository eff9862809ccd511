#pragma once

#include "app/tasks/sandbox/sandbox.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace et::tasks {

/// Where a model runs, and which results are sent back.
struct TargetOptions {
    std::string target;               ///< name or address of a target; empty: this process
    std::filesystem::path deviceLog;  ///< empty: none
    std::string keepIf;               ///< condition on executions whose events are sent back; empty: all
    std::uint32_t keepLast = 5;       ///< number of executions kept before each of them

    [[nodiscard]] bool isElsewhere() const { return !target.empty(); }
};

/// How a model is loaded, and its inputs.
struct ModelOptions {
    std::string method;               ///< empty: the only method, or "forward"
    std::vector<std::string> inputs;  ///< empty: from the bundled case, otherwise random
    std::optional<std::size_t> testCase;
    std::vector<std::filesystem::path> tensorData;
    std::vector<std::filesystem::path> plugins;
    std::vector<std::string> backendsOff;  ///< names of disabled backends; programs that need them do not
                                           ///< load
    std::filesystem::path record;          ///< ETRecord for emulating missing backends; empty: none
    bool emulate = false;                  ///< require the record next to the program
    bool emulateFromBeside = false;        ///< use the record next to the program if it exists
    std::size_t threads = 1;
    std::uint64_t seed = 0;
    std::optional<std::uint64_t> memoryBytes;
    std::optional<std::uint64_t> instructions;
    std::optional<double> timeoutSeconds;
    double executionSeconds = 60;  ///< limit per execution; 0: no limit
    SandboxMode sandbox = SandboxMode::Off;
    TargetOptions on{};
};

}  // namespace et::tasks
