#pragma once

#include "runtime/core/result.h"

#include <cstdint>

namespace et::app {

/// What the process tells its caller; part of the interface, as scripts depend on it.
enum class ExitCode : std::uint8_t {
    Fine = 0,
    CheckFailed = 1,    ///< the files were read, and something that was asked of them does not hold
    Usage = 2,          ///< the command line is wrong
    Unreadable = 3,     ///< a file cannot be read or written, or a program does not run
    TimedOut = 4,       ///< a limit of time was reached; what was done is kept
    Incomplete = 5,     ///< some of many files cannot be read; what was asked was done with the others
    Interrupted = 130,  ///< SIGINT (Ctrl-C); what was done is kept
    Terminated = 143,   ///< SIGTERM
};

/// What each exit code means, for the help texts.
struct ExitCodeInfo {
    ExitCode code;
    const char* meaning;
};
inline constexpr ExitCodeInfo exitCodes[] = {
    {ExitCode::Fine, "success"},
    {ExitCode::CheckFailed, "a check failed"},
    {ExitCode::Usage, "invalid command line"},
    {ExitCode::Unreadable, "a file cannot be read or written, or a program cannot be run"},
    {ExitCode::TimedOut, "a time limit was reached (--timeout, --max-time); what was done is kept"},
    {ExitCode::Incomplete, "some of the files cannot be read; the others were imported (import)"},
    {ExitCode::Interrupted, "interrupted (Ctrl-C); what was done is kept"},
    {ExitCode::Terminated, "terminated; what was done is kept"},
};

/// The exit code of a failure.
[[nodiscard]] ExitCode exitCode(core::ErrorCode code);

/// The worse of two, for verbs that go on after a failure.
[[nodiscard]] constexpr ExitCode worse(ExitCode a, ExitCode b) {
    return a < b ? b : a;
}

}  // namespace et::app
