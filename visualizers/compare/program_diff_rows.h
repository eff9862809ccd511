#pragma once

#include "inspector/program_diff/program_diff.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/report_table_model.h"

#include <optional>
#include <vector>

namespace et::visualizers {

/// What changed from one program to another as a tree: methods, what changed in them, and how.
struct ProgramDiffRows {
    ReportRows rows;
    /// By row: the operator of the first program that it is about; nothing: of none.
    std::vector<std::optional<OperatorRef>> operators;
};

/// Without what is the same.
[[nodiscard]] ProgramDiffRows rowsOf(const inspector::ProgramDiff& diff);

}  // namespace et::visualizers
