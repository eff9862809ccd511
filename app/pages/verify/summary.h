#pragma once

#include "app/tasks/exit_code.h"
#include "app/tasks/verify/verify_summary.h"
#include "bundled_program/verify.h"

#include <span>
#include <string>
#include <vector>

namespace et::app {

/// "3 files: 1 pass, 1 fail, 1 error (5 cases)".
[[nodiscard]] std::string summaryLine(std::span<const bundled_program::FileReport> reports);

/// What is wrong with a file in one line.
struct Problem {
    bundled_program::Verdict verdict = bundled_program::Verdict::Error;
    std::string message;  ///< "forward, case 0: output 0: ..."
};
/// One for each case that does not pass, neighbours with the same message being one; or one for the file.
[[nodiscard]] std::vector<Problem> problems(const bundled_program::FileReport& report);

/// Why what --save-failures asked for is not there.
[[nodiscard]] std::string unsavedText(const bundled_program::FileReport& report);

/// Fine, CheckFailed or Unreadable: the worst verdict; Unreadable too where files could not be saved.
/// TimedOut where a limit of time ended one.
[[nodiscard]] ExitCode exitCodeOf(std::span<const bundled_program::FileReport> reports);

}  // namespace et::app
