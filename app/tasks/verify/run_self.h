#pragma once

#include "runtime/core/child_process.h"
#include "runtime/core/result.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace et::tasks {

/// Result of a child process.
struct ChildResult {
    enum class Cause : std::uint8_t { Itself, Timeout, Interruption };

    Cause cause = Cause::Itself;  ///< Itself: it ended; otherwise it was killed
    core::ProcessEnd process{};
    std::string report;  ///< what it wrote to reportPath
    std::string said;    ///< end of its stdout and stderr
};

/// Path at which a child finds the pipe for its report. Its stdout is not used, since operators of plugins
/// may print.
inline constexpr const char* reportPath = "/dev/fd/3";

/// Runs another instance of this et-inspect executable with empty stdin, and waits for it. Kills it on
/// timeout, or if InterruptionGuard requests an end. Errors: Io (the process cannot be created), Limit (its
/// report is too long).
[[nodiscard]] core::Result<ChildResult> runSelf(const std::vector<std::string>& arguments,
                                                std::optional<std::chrono::duration<double>> timeout);

/// The same with any program, by path; `argv` starts with its name. Errors: likewise.
[[nodiscard]] core::Result<ChildResult> runProgram(const std::string& program, std::vector<std::string> argv,
                                                   std::optional<std::chrono::duration<double>> timeout);

}  // namespace et::tasks
