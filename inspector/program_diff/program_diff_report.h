#pragma once

#include "inspector/format/table.h"
#include "inspector/program_diff/program_diff.h"

#include <string>

// A ProgramDiff for people and for scripts.
namespace et::inspector::report {

/// For a terminal: a line for each thing that changed, under its method, and a summary. `all`: what is the
/// same, too, and long lists whole. Text from files is escaped where `style` means a terminal.
[[nodiscard]] std::string programDiffText(const ProgramDiff& diff, bool all, Style style);

/// For a comment on a pull request: a summary, then a section for each method with tables. `heading`: the
/// level of the topmost heading, 1 to 6.
[[nodiscard]] std::string programDiffMarkdown(const ProgramDiff& diff, int heading = 2);

/// As docs/json.md describes it ("diff"), for appendJson(), without the schema. Steps that are the same are
/// left out unless `all`.
[[nodiscard]] Dict programDiffInfo(const ProgramDiff& diff, bool all);
/// The whole document.
[[nodiscard]] std::string programDiffJson(const ProgramDiff& diff, bool all);

}  // namespace et::inspector::report
