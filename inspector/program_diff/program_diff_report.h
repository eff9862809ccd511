#pragma once

#include "inspector/format/table.h"
#include "inspector/program_diff/program_diff.h"

#include <string>

// Human-readable and machine-readable formats of a ProgramDiff.
namespace et::inspector {

/// Text for a terminal: one line for each change, grouped by method, and a summary. `all`: include unchanged
/// items and complete lists. Text from files is escaped if `style` is for a terminal.
[[nodiscard]] std::string programDiffText(const ProgramDiff& diff, bool all, format::Style style);

/// Markdown for a pull request comment: a summary, then a section with tables for each method. `heading`: the
/// level of the topmost heading, 1 to 6.
[[nodiscard]] std::string programDiffMarkdown(const ProgramDiff& diff, int heading = 2);

/// The "diff" object of docs/reference/json.md for appendJson(), without the schema. Unchanged steps are
/// omitted unless `all` is set.
[[nodiscard]] format::Dict programDiffInfo(const ProgramDiff& diff, bool all);
/// The complete JSON document.
[[nodiscard]] std::string programDiffJson(const ProgramDiff& diff, bool all);

}  // namespace et::inspector
