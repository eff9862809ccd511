#pragma once

#include "inspector/session/artifact.h"
#include "inspector/session/placement.h"
#include "inspector/session/session.h"
#include "inspector/store/session_store.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace et::tasks {

struct Option;
class OptionList;

/// Input of a task on a session: a session file, or any mix of files that belong together.
struct SessionInput {
    std::vector<std::filesystem::path> files;
    inspector::JoinOptions join;
};

/// The files of a SessionInput, each opened once.
struct SessionSource {
    std::vector<inspector::RecognizedFile> files;
    std::optional<inspector::store::SessionStore> store;  ///< nothing if `files` has no session file

    /// Errors: those of MappedFile::open and SessionStore; InvalidArgument (a session file together with
    /// other files).
    [[nodiscard]] static core::Result<SessionSource> open(const std::vector<std::filesystem::path>& paths);
};

/// A session and its contradictions.
struct OpenedSession {
    std::shared_ptr<const inspector::Session> session;
    std::vector<std::string> warnings;
};

/// Returns `asked`, with unset options from the saved session.
[[nodiscard]] inspector::JoinOptions joinOptions(inspector::JoinOptions asked,
                                                 const inspector::store::SessionStore& store);

/// Joins the files of `source`. Errors: those of Session, placeFiles() and SessionStore.
[[nodiscard]] core::Result<OpenedSession> openInput(
    const inspector::JoinOptions& join, const SessionSource& source,
    inspector::SessionScope scope = inspector::SessionScope::All);
/// Opens and joins the files. Errors: also those of SessionSource.
[[nodiscard]] core::Result<OpenedSession> openInput(
    const SessionInput& input, inspector::SessionScope scope = inspector::SessionScope::All);

/// Adds FILE..., the files of a session.
Option& addSessionFiles(OptionList& options, SessionInput& input);
/// Adds --method.
void addTracedMethod(OptionList& options, inspector::JoinOptions& join);
/// Adds --method and addTraceClock().
void addJoinOptions(OptionList& options, inspector::JoinOptions& join);

}  // namespace et::tasks
