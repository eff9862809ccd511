#pragma once

#include "app/tasks/base/exit_code.h"
#include "app/tasks/verify/report_json.h"
#include "bundled_program/verify.h"

#include <span>
#include <string>
#include <vector>

namespace et::output {

/// "3 files: 1 pass, 1 fail, 1 error (5 cases)".
[[nodiscard]] std::string summaryLine(std::span<const bundled_program::FileReport> reports);

/// A one-line description of a problem with a file.
struct Problem {
    bundled_program::Verdict verdict = bundled_program::Verdict::Error;
    std::string message;  ///< "forward, case 0: output 0: ..."
};
/// One per failing case, with consecutive identical messages merged; or one for the file.
[[nodiscard]] std::vector<Problem> problems(const bundled_program::FileReport& report);

/// Reason why files requested by --save-failures are missing.
[[nodiscard]] std::string unsavedText(const bundled_program::FileReport& report);

/// Fine, CheckFailed or Unreadable, by the worst verdict; also Unreadable if files could not be saved.
/// TimedOut if a time limit ended a case.
[[nodiscard]] tasks::ExitCode exitCodeOf(std::span<const bundled_program::FileReport> reports);

}  // namespace et::output
