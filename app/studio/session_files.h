#pragma once

#include "inspector/session/session.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace et::studio {

class ArchiveUse;

/// Result of a request to open files.
struct LoadOutcome {
    std::shared_ptr<const inspector::Session> session;  ///< null: nothing to show
    std::vector<std::string> problems;                  ///< one line for each unusable file
    std::filesystem::path archive{};  ///< the session file, if it was opened from one; otherwise empty
    std::shared_ptr<const ArchiveUse> inUse{};  ///< protects the files of `archive` in the cache
    std::filesystem::path otherProgram{};  ///< second program, to compare with the session's own; empty: none
};

/// How opened files affect the current session.
enum class OpenEffect : std::uint8_t {
    Fresh,   ///< it is closed
    AsFits,  ///< it is kept if the files match it
    Beside,  ///< it is kept; traces are added even if they do not match, and so is a program
};

/// Opens `paths` into the session. Traces (each with its debug buffer) that match the open program, record or
/// trace are added to the open one, dropping the oldest of more than Session::maxOthers; a trace that is
/// already open is reloaded. Other files are placed as by inspector::placeAdditionalFiles(), or opened by
/// load().
[[nodiscard]] LoadOutcome add(const std::vector<std::filesystem::path>& paths, const inspector::Session& open,
                              OpenEffect arrival, const inspector::JoinOptions& options,
                              const std::stop_token& stop);

/// Opens files that are already assigned to members. Unusable files are dropped and listed in `problems`.
[[nodiscard]] LoadOutcome loadFiles(inspector::SessionFiles files, const inspector::JoinOptions& options,
                                    const std::stop_token& stop);

/// True if the two sessions have a file in common. Null: nothing is open.
[[nodiscard]] bool shareFiles(const inspector::Session* before, const inspector::Session& now);

/// Places the files by content and opens them together. Unusable files are dropped and listed in `problems`,
/// so that a damaged record does not hide its trace; a second program is compared with the first. Returns
/// early when `stop` is requested.
[[nodiscard]] LoadOutcome load(const std::vector<std::filesystem::path>& paths,
                               const inspector::JoinOptions& options, const std::stop_token& stop);

/// Joins the files of `session` again with other options, without rereading them.
[[nodiscard]] LoadOutcome rejoin(const inspector::Session& session, const inspector::JoinOptions& options);

}  // namespace et::studio
