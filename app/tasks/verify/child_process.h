#pragma once

#include "runtime/core/result.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace et::cli {

/// How a child ended.
struct ChildEnd {
    std::string report;     ///< what it wrote to reportPath
    std::string said;       ///< the end of what it wrote to stdout and stderr
    int code = 0;           ///< exit code
    int signal = 0;         ///< that killed it; 0: it ended by itself
    bool timedOut = false;  ///< and was killed for it
    bool cancelled = false;
};

/// Where a child finds the pipe for what it has to report. Its stdout is none, because operators of plugins
/// may print.
inline constexpr const char* reportPath = "/dev/fd/3";

/// Runs another et-inspect of this same file with nothing on stdin, and waits for its end. It is killed when
/// the time is over, or when InterruptionGuard is asked to end. Errors: Io (no process could be made).
[[nodiscard]] core::Result<ChildEnd> runSelf(const std::vector<std::string>& arguments,
                                             std::optional<std::chrono::duration<double>> timeout);

/// "SIGSEGV (Segmentation fault)".
[[nodiscard]] std::string signalText(int signal);

}  // namespace et::cli
