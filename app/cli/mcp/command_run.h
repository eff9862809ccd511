#pragma once

#include "runtime/core/result.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace et::cli::mcp {

/// A command of et-inspect to run.
struct CommandCall {
    std::vector<std::string> arguments;  ///< without the program
    std::string input;                   ///< for stdin
    bool hasProgress = false;            ///< the command has --progress
};

struct CommandOutput {
    int exitCode = 0;
    std::string document;
    std::vector<std::string> messages;  ///< lines on stderr, without prefix
};

/// Share of the work that is done, 0 to 1, and its phase.
using ProgressReport = std::function<void(double done, const std::string& phase)>;

struct CommandLimits {
    std::chrono::milliseconds time;
    std::function<bool()> cancelled;
    ProgressReport progress;
};

/// Runs a command in another process, which gets SIGINT when it is cancelled, and is killed if it does not
/// end. Errors: Io, Limit (it printed too much, or took too long), Cancelled.
[[nodiscard]] core::Result<CommandOutput> runCommand(const CommandCall& call, const CommandLimits& limits);

/// Runs commands: runCommand(), or that of a test.
using CommandRunner = std::function<core::Result<CommandOutput>(const CommandCall&, const CommandLimits&)>;

}  // namespace et::cli::mcp
