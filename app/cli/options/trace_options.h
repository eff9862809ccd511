#pragma once

#include "app/cli/options.h"
#include "app/tasks/run/trace_options.h"

namespace et::app {

void addTraceOptions(OptionList& options, TraceOptions& trace);

}  // namespace et::app
