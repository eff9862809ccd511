#pragma once

#include "app/tasks/session/session_input.h"
#include "inspector/events/event_rows.h"
#include "inspector/join/event_blocks.h"
#include "inspector/session/session.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <vector>

namespace et::app {

/// A trace and what explains it.
struct TraceInput {
    inspector::SessionFiles named;             ///< files whose kind is known
    std::vector<std::filesystem::path> files;  ///< others: sorted by content
    inspector::JoinOptions join;
    std::vector<std::filesystem::path> plugins;  ///< with decoders of delegate metadata
    std::filesystem::path program{};             ///< or bundled program that the trace is of; empty: none
    bool several = false;                        ///< further traces may stand beside the first
};

/// Opens the session, which has a trace. Errors: those of Session and of the plugins; InvalidArgument (no
/// trace, two files for one place), NotFound (a phase that no trace has).
[[nodiscard]] core::Result<OpenedSession> openTraceInput(const TraceInput& input);

/// The traces of a session that has one, the first one first.
[[nodiscard]] std::vector<inspector::report::NamedTrace> namedTraces(const inspector::Session& session);

/// The files that a session was read from.
[[nodiscard]] std::vector<std::filesystem::path> inputsOf(const inspector::Session& session);

}  // namespace et::app
