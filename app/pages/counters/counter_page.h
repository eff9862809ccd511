#pragma once

#include "app/tasks/counters/count_run.h"
#include "inspector/format/table.h"

#include <cstddef>
#include <string>

namespace et::app {

/// Instructions with what they did in an execution, at most `top` (0: all), and the sum of all. Counters that
/// are not there have no column.
[[nodiscard]] inspector::report::Table counterTable(const CountReport& report, std::size_t top);

/// What to know of the table: runs, cost of counting, clock and temperature, counters that took turns.
[[nodiscard]] std::string counterNotes(const CountReport& report);

/// docs/json.md, "JSON of counters", without its schema.
[[nodiscard]] inspector::report::Dict counterInfo(const CountReport& report);

}  // namespace et::app
