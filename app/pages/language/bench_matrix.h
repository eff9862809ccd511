#pragma once

#include "app/tasks/language/language_bench.h"
#include "inspector/format/table.h"

#include <span>
#include <string>

namespace et::app {

/// One row per cell: rates with their spread. In CSV, the column names contain the units.
[[nodiscard]] inspector::report::Table matrixTable(std::span<const BenchCell> cells, bool forPeople);
/// docs/reference/json.md.
[[nodiscard]] std::string matrixJson(std::span<const BenchCell> cells);

}  // namespace et::app
