#pragma once

#include "app/tasks/run/watch.h"
#include "app/tasks/session/session_input.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace et::app {

/// What becomes a session file.
struct SaveSettings {
    SessionInput input;
    std::filesystem::path gap;       ///< what `gap --format json` wrote; empty: none
    std::filesystem::path verdicts;  ///< what `verify --format json` wrote; empty: none
    std::vector<std::string> notes;
    std::filesystem::path output;
    bool force = false;  ///< replace a session that has notes, or a database of another program
    std::string writer;  ///< "et-inspect 1.0"
};

/// Writes the session, whole or not at all, and returns what contradicts in it. Notes and verdicts of a
/// session that is saved again stay. Errors: those of the files; InvalidArgument (the output is an input or
/// has notes, verdicts of another bundled program), Cancelled.
[[nodiscard]] core::Result<std::vector<std::string>> saveSession(const SaveSettings& settings, Watch& watch);

}  // namespace et::app
