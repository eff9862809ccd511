#pragma once

#include "app/tasks/language/language_bench.h"
#include "inspector/format/table.h"

#include <span>
#include <string>

namespace et::app {

/// A row a cell: rates with their spread. CSV has every unit in its column's name.
[[nodiscard]] inspector::report::Table matrixTable(std::span<const BenchCell> cells, bool forPeople);
/// docs/json.md.
[[nodiscard]] std::string matrixJson(std::span<const BenchCell> cells);

}  // namespace et::app
