#pragma once

#include "inspector/session/session.h"
#include "inspector/store/session_store.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace et::tasks {

/// Input of a task on a session: a session file, or any mix of files that belong together.
struct SessionInput {
    std::vector<std::filesystem::path> files;
    inspector::JoinOptions join;
};

/// A session and its contradictions.
struct OpenedSession {
    std::shared_ptr<const inspector::Session> session;
    std::vector<std::string> warnings;
};

/// Returns `asked`, with unset options from the saved session.
[[nodiscard]] inspector::JoinOptions joinOptions(inspector::JoinOptions asked,
                                                 const inspector::store::SessionStore& store);

/// The session file among `files`; nothing if there is none. Errors: InvalidArgument (together with other
/// files), those of SessionStore.
[[nodiscard]] core::Result<std::optional<inspector::store::SessionStore>> findStore(
    const std::vector<std::filesystem::path>& files);

/// Opens the files of `input`. `store`: result of findStore(). Errors: those of Session and SessionStore.
[[nodiscard]] core::Result<OpenedSession> openInput(
    const SessionInput& input, const std::optional<inspector::store::SessionStore>& store);

}  // namespace et::tasks
