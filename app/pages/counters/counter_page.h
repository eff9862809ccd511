#pragma once

#include "app/tasks/counters/count_run.h"
#include "inspector/format/table.h"

#include <cstddef>
#include <string>

namespace et::app {

/// Instructions with their counts per execution, at most `top` (0: all), and the sum of all. Missing counters
/// have no column.
[[nodiscard]] inspector::report::Table counterTable(const CountReport& report, std::size_t top);

/// Notes on the table: runs, counting overhead, clock and temperature, multiplexed counters.
[[nodiscard]] std::string counterNotes(const CountReport& report);

/// docs/reference/json_profiling.md, counters, without its schema.
[[nodiscard]] inspector::report::Dict counterInfo(const CountReport& report);

}  // namespace et::app
