#pragma once

#include "inspector/format/table.h"
#include "inspector/session/session.h"

namespace et::app {

/// What ran, a row an event: the names that people use, the time that a run typically spends in it, the
/// file's own name. Those of inference come before those of loading, the slowest first; of several traces,
/// one below the other. Empty without a trace.
[[nodiscard]] inspector::report::Table operatorTable(const inspector::Session& session);

}  // namespace et::app
