#pragma once

#include "inspector/session/session.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace et::studio {

class ArchiveUse;

/// What became of a request to open files.
struct LoadOutcome {
    std::shared_ptr<const inspector::Session> session;  ///< null: nothing could be shown
    std::vector<std::string> problems;                  ///< one line for each file that could not be used
    std::filesystem::path archive{};                    ///< the session file that it came from; empty: files
    std::shared_ptr<const ArchiveUse> inUse{};          ///< keeps the files of `archive` in the cache
    std::filesystem::path otherProgram{};  ///< came with, or beside, the session's own; empty: none
};

/// What becomes of what is open when files come.
enum class Arrival : std::uint8_t {
    Fresh,   ///< it is closed
    AsFits,  ///< it stays where the files fit it
    Beside,  ///< it stays; traces stand beside it even where they do not fit, and so does a program
};

/// Files that join the open session instead of replacing it come back together with those that are open: what
/// explains the open trace (a record, a debug buffer) in place of what did, and every kind that is not open
/// yet. Where one of `paths` has no such place, they come back as they are.
[[nodiscard]] std::vector<std::filesystem::path> withOpenFiles(
    const std::vector<std::filesystem::path>& paths, const inspector::Session& open);

/// Opens `paths` into what is open. Traces (each with its debug buffer) that fit the open program, record or
/// trace are added beside the open one, the oldest of more than Session::maxOthers leaving; one that is open
/// already is read again. Everything else is as withOpenFiles() and load().
[[nodiscard]] LoadOutcome add(const std::vector<std::filesystem::path>& paths, const inspector::Session& open,
                              Arrival arrival, const inspector::JoinOptions& options,
                              const std::stop_token& stop);

/// Opens files whose places are known. What cannot be used is left out and named in `problems`.
[[nodiscard]] LoadOutcome loadFiles(inspector::SessionFiles files, const inspector::JoinOptions& options,
                                    const std::stop_token& stop);

/// The files with another of the traces as the main one, by its place among the others.
[[nodiscard]] inspector::SessionFiles withMainTrace(inspector::SessionFiles files, std::size_t other);

/// Whether one goes on where the other was: they have a file in common. Null: nothing is open.
[[nodiscard]] bool shareFiles(const inspector::Session* before, const inspector::Session& now);

/// Sorts `paths` by content and opens them together. A file that cannot be used is left out and named in
/// `problems`, so that a damaged record does not hide its trace; a second program is to be compared with the
/// first. Returns early when `stop` is requested.
[[nodiscard]] LoadOutcome load(std::vector<std::filesystem::path> paths,
                               const inspector::JoinOptions& options, const std::stop_token& stop);

/// Joins the files of `session` again with other options, without reading them again.
[[nodiscard]] LoadOutcome rejoin(const inspector::Session& session, const inspector::JoinOptions& options);

/// The files of a session that are set: trace, record, debug buffer, program, bundle, tensor
/// data, further traces.
[[nodiscard]] std::vector<std::filesystem::path> pathsOf(const inspector::SessionFiles& files);

}  // namespace et::studio
