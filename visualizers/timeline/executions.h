#pragma once

#include "etdump/trace.h"
#include "visualizers/timeline/lane.h"

#include <cstdint>
#include <vector>

namespace et::visualizers {

/// The executions of methods of a trace by the time at which they start, in ticks from `origin`; Span::event
/// is the place among Trace::runs(). What overlaps the one before is left out.
[[nodiscard]] std::vector<Span> executionsOf(const etdump::Trace& trace, std::uint64_t origin);

}  // namespace et::visualizers
