#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/session/session_input.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace et::tasks {

/// Content and path of a session file to write.
struct SaveSettings {
    SessionInput input;
    std::filesystem::path gap;       ///< output of `gap --format json`; empty: none
    std::filesystem::path verdicts;  ///< output of `verify --format json`; empty: none
    std::vector<std::string> notes;
    std::filesystem::path output;
    bool force = false;  ///< replace a session that has notes, or a database of another program
    std::string writer;  ///< "et-inspect 1.0"
};

/// Writes the session atomically and returns its contradictions. Notes and verdicts are kept if a session is
/// saved again. Errors: those of the files; InvalidArgument (the output is an input or has notes, verdicts of
/// another bundled program), Cancelled.
[[nodiscard]] core::Result<std::vector<std::string>> saveSession(const SaveSettings& settings,
                                                                 ProgressReporter& watch);

}  // namespace et::tasks
