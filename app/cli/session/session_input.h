#pragma once

#include "app/cli/verb.h"
#include "inspector/session/session.h"
#include "inspector/store/session_store.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace et::cli {

/// FILE... of a verb that takes a session: a session file, or files of any mix that belong together.
struct SessionInput {
    std::vector<std::filesystem::path> files;
    inspector::JoinOptions join;
};

/// Adds --method and --source-time-scale; FILE... is the verb's own.
void addJoinOptions(CLI::App& app, SessionInput& input);

/// `asked`, and where it leaves something open, how the session was saved.
[[nodiscard]] inspector::JoinOptions joinOptions(inspector::JoinOptions asked,
                                                 const inspector::store::SessionStore& store);

/// The session file among `files`; nothing where there is none. Errors: InvalidArgument (beside other files),
/// those of SessionStore.
[[nodiscard]] core::Result<std::optional<inspector::store::SessionStore>> findStore(
    const std::vector<std::filesystem::path>& files);

/// Opens what `input` names and prints what contradicts in it as warnings. `store`: as findStore() found.
[[nodiscard]] core::Result<std::shared_ptr<const inspector::Session>> openInput(
    const SessionInput& input, const std::optional<inspector::store::SessionStore>& store, Console& console);

}  // namespace et::cli
