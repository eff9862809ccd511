#pragma once

#include "runtime/core/result.h"

#include <cstdint>

namespace et::tasks {

/// Exit code of the process; part of the interface, because scripts depend on it.
enum class ExitCode : std::uint8_t {
    Fine = 0,
    CheckFailed = 1,    ///< the files were read, and a requested check failed
    Usage = 2,          ///< invalid command line
    Unreadable = 3,     ///< a file cannot be read or written, or a program cannot run
    TimedOut = 4,       ///< a time limit was reached; results so far are kept
    Incomplete = 5,     ///< some of many files cannot be read; the others were processed
    MemoryFault = 6,    ///< --sanitize found memory errors
    Interrupted = 130,  ///< SIGINT (Ctrl-C); results so far are kept
    Terminated = 143,   ///< SIGTERM
};

/// Meaning of each exit code, for the help texts.
struct ExitCodeInfo {
    ExitCode code;
    const char* meaning;
};
inline constexpr ExitCodeInfo exitCodes[] = {
    {ExitCode::Fine, "success"},
    {ExitCode::CheckFailed, "a check failed"},
    {ExitCode::Usage, "invalid command line"},
    {ExitCode::Unreadable, "a file cannot be read or written, or a program cannot be run"},
    {ExitCode::TimedOut, "a time limit was reached (--timeout, --max-time); partial results are kept"},
    {ExitCode::Incomplete, "some of the files cannot be read; the others were imported (import)"},
    {ExitCode::MemoryFault, "memory errors were found (--sanitize)"},
    {ExitCode::Interrupted, "interrupted (Ctrl-C); partial results are kept"},
    {ExitCode::Terminated, "terminated; partial results are kept"},
};

/// Returns the exit code for an error.
[[nodiscard]] ExitCode exitCode(core::ErrorCode code);

/// Returns the worse of two, for commands that continue after an error.
[[nodiscard]] constexpr ExitCode worse(ExitCode a, ExitCode b) {
    return a < b ? b : a;
}

}  // namespace et::tasks
