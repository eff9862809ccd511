#pragma once

#include "etdump/trace.h"
#include "visualizers/timeline/lane.h"

#include <cstdint>
#include <vector>

namespace et::visualizers {

/// The executions of methods of a trace by start time, in ticks from `origin`; Span::event is an index into
/// Trace::runs(). Executions that overlap the previous one are dropped.
[[nodiscard]] std::vector<Span> executionsOf(const etdump::Trace& trace, std::uint64_t origin);

}  // namespace et::visualizers
