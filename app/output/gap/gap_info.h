#pragma once

#include "app/output/cells.h"
#include "app/tasks/gap/gap_run.h"
#include "app/tasks/gap/gaps.h"
#include "inspector/numeric_gap/numeric_gap.h"

#include <span>
#include <string>
#include <vector>

// Numeric gaps as JSON (docs/reference/json.md) and as tables.
namespace et::output {

/// `emulated`: names of emulated backends.
[[nodiscard]] std::string gapJson(tasks::Gaps gaps, const tasks::GapSettings& settings,
                                  const std::vector<std::string>& emulated);

/// Columns and rows of the first gap; with `forPeople`, numbers are rounded and texts shortened.
[[nodiscard]] Table gapTable(const inspector::NumericGap& gap, const tasks::GapSettings& settings,
                             bool forPeople);

/// Text below the table: the first divergence, and operators that diverge on some inputs only.
[[nodiscard]] std::string gapSummary(tasks::Gaps gaps, const tasks::GapSettings& settings);

/// A column, for help.
struct GapColumn {
    const char* id;
    const char* header;
    const char* meaning;
    bool numeric;
};
[[nodiscard]] std::span<const GapColumn> gapColumns();

}  // namespace et::output
