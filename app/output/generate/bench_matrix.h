#pragma once

#include "app/tasks/generate/language_bench.h"
#include "inspector/format/table.h"

#include <span>
#include <string>

namespace et::output {

/// One row per cell: rates with their spread. In CSV, the column names contain the units.
[[nodiscard]] inspector::format::Table matrixTable(std::span<const tasks::BenchCell> cells, bool forPeople);
/// docs/reference/json.md.
[[nodiscard]] std::string matrixJson(std::span<const tasks::BenchCell> cells);

}  // namespace et::output
