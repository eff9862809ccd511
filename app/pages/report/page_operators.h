#pragma once

#include "inspector/format/table.h"
#include "inspector/session/session.h"

namespace et::app {

/// What ran, a row an event: the names that people use, the time that a run typically spends in it, the
/// file's own name. Those of inference come before those of loading, the slowest first; of several traces,
/// one below the other. Empty without a trace.
[[nodiscard]] inspector::report::Table operatorTable(const inspector::Session& session);

/// The longest time of the phase that comes first in such a table, for its bars: loading once takes as long
/// as many runs, and beside it all of a run would look like nothing.
[[nodiscard]] double longestSelf(const inspector::report::Table& operators);

}  // namespace et::app
