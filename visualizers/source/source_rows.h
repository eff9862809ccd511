#pragma once

#include "visualizers/source/code_view.h"
#include "visualizers/source/source_base.h"
#include "visualizers/toolkit/report_table_model.h"

#include <map>
#include <string>
#include <vector>

namespace et::visualizers {

/// The files of a method with the time of their operators.
[[nodiscard]] ReportRows fileRows(const inspector::SourceIndex& index,
                                  std::optional<inspector::TimeScale> scale);

/// Operators with their stacks below them, innermost call first; at most `max` stacks.
[[nodiscard]] ReportRows stackRows(const std::vector<inspector::NodeStack>& stacks, std::size_t max);

/// Margin notes of the lines of a file.
[[nodiscard]] std::map<std::int64_t, LineNote> lineNotes(const inspector::SourceIndex& index,
                                                         const inspector::SourceFile& file,
                                                         std::optional<inspector::TimeScale> scale);

/// The lines of a text.
[[nodiscard]] std::vector<CodeLine> codeLines(std::string_view text);

}  // namespace et::visualizers
