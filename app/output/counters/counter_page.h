#pragma once

#include "app/output/cells.h"
#include "app/tasks/counters/count_run.h"
#include "inspector/join/instruction_counts.h"

#include <cstddef>
#include <string>

namespace et::output {

/// Instructions with their counts per execution, at most `top` (0: all), and the sum of all. Missing counters
/// have no column.
[[nodiscard]] Table counterTable(const tasks::CountReport& report, std::size_t top);

/// Notes on the table: runs, counting overhead, clock and temperature, multiplexed counters.
[[nodiscard]] std::string counterNotes(const tasks::CountReport& report);

/// docs/reference/json_profiling.md, counters. `trace`: identifies the trace that the counts belong to; null:
/// none.
[[nodiscard]] std::string counterJson(const tasks::CountReport& report, const inspector::TraceMark* trace);

}  // namespace et::output
