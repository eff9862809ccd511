#pragma once

#include "app/output/cells.h"
#include "app/tasks/generate/language_bench.h"

#include <span>
#include <string>

namespace et::output {

/// One row per cell: rates with their spread. In CSV, the column names contain the units.
[[nodiscard]] Table matrixTable(std::span<const tasks::BenchCell> cells, bool forPeople);
/// docs/reference/json.md.
[[nodiscard]] std::string matrixJson(std::span<const tasks::BenchCell> cells);

}  // namespace et::output
