#pragma once

#include "inspector/session/session.h"
#include "inspector/store/session_store.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace et::app {

/// What a task on a session is about: a session file, or files of any mix that belong together.
struct SessionInput {
    std::vector<std::filesystem::path> files;
    inspector::JoinOptions join;
};

/// A session, and what contradicts in it.
struct OpenedSession {
    std::shared_ptr<const inspector::Session> session;
    std::vector<std::string> warnings;
};

/// `asked`, and where it leaves something open, how the session was saved.
[[nodiscard]] inspector::JoinOptions joinOptions(inspector::JoinOptions asked,
                                                 const inspector::store::SessionStore& store);

/// The session file among `files`; nothing where there is none. Errors: InvalidArgument (beside other files),
/// those of SessionStore.
[[nodiscard]] core::Result<std::optional<inspector::store::SessionStore>> findStore(
    const std::vector<std::filesystem::path>& files);

/// Opens what `input` names. `store`: as findStore() found. Errors: those of Session and SessionStore.
[[nodiscard]] core::Result<OpenedSession> openInput(
    const SessionInput& input, const std::optional<inspector::store::SessionStore>& store);

}  // namespace et::app
