#pragma once

#include "app/output/cells.h"
#include "app/tasks/compare/option_costs.h"

#include <span>
#include <string>

namespace et::output {

/// One row per combination.
[[nodiscard]] Table optionCostTable(std::span<const tasks::OptionCost> costs);
/// docs/reference/json_profiling.md, bench.
[[nodiscard]] std::string optionCostJson(std::span<const tasks::OptionCost> costs);

}  // namespace et::output
