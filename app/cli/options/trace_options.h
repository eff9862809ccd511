#pragma once

#include "app/cli/options.h"
#include "app/tasks/run/trace_options.h"

namespace et::cli {

void addTraceOptions(OptionList& options, tasks::TraceOptions& trace);

}  // namespace et::cli
