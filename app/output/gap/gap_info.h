#pragma once

#include "app/output/cells.h"
#include "app/tasks/gap/gap_run.h"
#include "inspector/numeric_gap/diverging_operators.h"

#include <span>
#include <string>

// Numeric gaps as tables.
namespace et::output {

/// Columns and rows of the first gap; with `forPeople`, numbers are rounded and texts shortened.
[[nodiscard]] Table gapTable(const inspector::NumericGap& gap, const tasks::GapSettings& settings,
                             bool forPeople);

/// Text below the table: KV caches outside the program, the first divergence, and operators that diverge on
/// some inputs only.
[[nodiscard]] std::string gapSummary(inspector::Gaps gaps, const tasks::GapSettings& settings);

/// A column, for help.
struct GapColumn {
    const char* id;
    const char* header;
    const char* meaning;
    bool numeric;
};
[[nodiscard]] std::span<const GapColumn> gapColumns();

}  // namespace et::output
