#pragma once

#include "app/cli/options.h"
#include "app/tasks/session/session_input.h"
#include "app/tasks/session/trace_input.h"

namespace et::cli {

/// Adds FILE..., --etdump, --etrecord, --debug-buffer, --method, --plugin, the trace's time scale and
/// --reference-quirks.
void addTraceInput(OptionList& options, tasks::TraceInput& input);

/// Adds FILE..., the files of a session.
Option& addSessionFiles(OptionList& options, tasks::SessionInput& input);
/// Adds --method and --source-time-scale.
void addJoinOptions(OptionList& options, tasks::SessionInput& input);

}  // namespace et::cli
