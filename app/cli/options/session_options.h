#pragma once

#include "app/cli/options.h"
#include "app/tasks/session/session_input.h"
#include "app/tasks/session/trace_input.h"

namespace et::app {

/// Adds FILE..., --etdump, --etrecord, --debug-buffer, --method, --plugin, the time scale of the trace and
/// --reference-quirks.
void addTraceInput(OptionList& options, TraceInput& input);

/// Adds FILE... of a session.
Option& addSessionFiles(OptionList& options, SessionInput& input);
/// Adds --method and --source-time-scale.
void addJoinOptions(OptionList& options, SessionInput& input);

}  // namespace et::app
