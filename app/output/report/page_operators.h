#pragma once

#include "app/output/cells.h"
#include "inspector/session/session.h"

namespace et::output {

/// Executed operators, one row per event: display name, typical time per run, and name in the file. Inference
/// comes before loading, slowest first; several traces follow each other. Empty without a trace.
[[nodiscard]] Table operatorTable(const inspector::Session& session);

/// The longest time of the first phase in such a table, which scales its bars: loading takes as long as many
/// runs and would make the bars of a run invisible.
[[nodiscard]] double longestSelf(const Table& operators);

}  // namespace et::output
