#pragma once

#include "app/tasks/session/session_input.h"
#include "inspector/events/event_rows.h"
#include "inspector/join/event_blocks.h"
#include "inspector/session/session.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <vector>

namespace et::tasks {

class OptionList;

/// A trace and the files that explain it.
struct TraceInput {
    inspector::SessionFiles named;             ///< files of known kind
    std::vector<std::filesystem::path> files;  ///< other files, sorted by content
    inspector::JoinOptions join;
    std::vector<std::filesystem::path> plugins;  ///< plugins with decoders of delegate metadata
    std::filesystem::path program{};             ///< program or bundled program of the trace; empty: none
    bool several = false;                        ///< allow further traces after the first
};

/// Opens the session, which must have a trace. Errors: those of Session and of the plugins; InvalidArgument
/// (no trace, two files of the same kind), NotFound (a phase that no trace has).
[[nodiscard]] core::Result<OpenedSession> openTraceInput(const TraceInput& input);

/// The traces of a session with at least one, starting with its main trace.
[[nodiscard]] std::vector<inspector::events::NamedTrace> namedTraces(const inspector::Session& session);

/// Paths of a session's source files.
[[nodiscard]] std::vector<std::filesystem::path> inputsOf(const inspector::Session& session);

/// Adds FILE..., --etdump, --etrecord, --debug-buffer, --method, --plugin, the trace's time scale and
/// --reference-quirks.
void addTraceInput(OptionList& options, TraceInput& input);

}  // namespace et::tasks
