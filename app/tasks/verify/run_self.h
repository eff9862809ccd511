#pragma once

#include "runtime/core/child_process.h"
#include "runtime/core/result.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace et::app {

/// What became of another process.
struct SelfEnd {
    enum class Cause : std::uint8_t { Itself, Timeout, Interruption };

    Cause cause = Cause::Itself;  ///< of its end; else it was killed
    core::ProcessEnd process{};
    std::string report;  ///< what it wrote to reportPath
    std::string said;    ///< the end of what it wrote to stdout and stderr
};

/// Where a child finds the pipe for what it has to report. Its stdout is none, because operators of plugins
/// may print.
inline constexpr const char* reportPath = "/dev/fd/3";

/// Runs another et-inspect of this same file with nothing on stdin, and waits for its end. It is killed when
/// the time is over, or when InterruptionGuard is asked to end. Errors: Io (no process could be made), Limit
/// (its report is too long).
[[nodiscard]] core::Result<SelfEnd> runSelf(const std::vector<std::string>& arguments,
                                            std::optional<std::chrono::duration<double>> timeout);

/// The same with any program, by its path; `argv` has its name in front. Errors: likewise.
[[nodiscard]] core::Result<SelfEnd> runProgram(const std::string& program, std::vector<std::string> argv,
                                               std::optional<std::chrono::duration<double>> timeout);

}  // namespace et::app
