#pragma once

#include "inspector/program_diff/program_diff.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/report_table_model.h"

#include <optional>
#include <vector>

namespace et::visualizers {

/// Differences between two programs as a tree: methods, their changes, and details.
struct ProgramDiffRows {
    ReportRows rows;
    /// By row: the operator of the first program, or nothing.
    std::vector<std::optional<OperatorRef>> operators;
};

/// Excludes everything that is equal.
[[nodiscard]] ProgramDiffRows rowsOf(const inspector::ProgramDiff& diff);

}  // namespace et::visualizers
