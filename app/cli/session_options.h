#pragma once

#include "app/cli/verb.h"
#include "inspector/join/event_blocks.h"
#include "inspector/session/session.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace et::cli {

/// Which files to open together and how to join them, as the command line says it.
struct SessionOptions {
    inspector::SessionFiles named;               ///< by --etdump and its like
    std::vector<std::filesystem::path> unnamed;  ///< positional: sorted by content
    inspector::JoinOptions join;
    std::vector<std::filesystem::path> plugins;  ///< with decoders of delegate metadata
};

/// Adds FILE..., --etdump, --etrecord, --debug-buffer, --method, the time scale of the trace and
/// --reference-quirks and --plugin.
void addSessionOptions(CLI::App& app, SessionOptions& options);

/// Opens the session, which has a trace, and prints its warnings. Errors: those of Session; InvalidArgument
/// (no trace, two files for one place, a misspelt verb among the files).
[[nodiscard]] core::Result<std::shared_ptr<const inspector::Session>> openSession(
    const SessionOptions& options, const inspector::JoinOptions& join, const Invocation& invocation);

/// The files that a session was read from.
[[nodiscard]] std::vector<std::filesystem::path> inputsOf(const inspector::Session& session);

}  // namespace et::cli
