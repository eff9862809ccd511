#pragma once

#include "app/output/cells.h"
#include "app/tasks/counters/count_run.h"

#include <cstddef>
#include <string>

namespace et::output {

/// Instructions with their counts per execution, at most `top` (0: all), and the sum of all. Missing counters
/// have no column.
[[nodiscard]] Table counterTable(const tasks::CountReport& report, std::size_t top);

/// Notes on the table: runs, counting overhead, clock and temperature, multiplexed counters.
[[nodiscard]] std::string counterNotes(const tasks::CountReport& report);

/// docs/reference/json_profiling.md, counters, without its schema.
[[nodiscard]] Dict counterInfo(const tasks::CountReport& report);

}  // namespace et::output
