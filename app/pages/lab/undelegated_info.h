#pragma once

#include "app/tasks/lab/undelegated.h"
#include "inspector/format/table.h"

#include <string>

namespace et::app {

/// One row per operator outside delegates, largest gain first. Times are in microseconds.
[[nodiscard]] inspector::report::Table undelegatedTable(const UndelegatedReport& report);
/// Text for a terminal: the totals before that table, and below it (undelegatedNotes()) what was not
/// measured.
[[nodiscard]] std::string undelegatedSummary(const UndelegatedReport& report);
[[nodiscard]] std::string undelegatedNotes(const UndelegatedReport& report);
/// docs/reference/json_programs.md, undelegated.
[[nodiscard]] inspector::report::Dict undelegatedInfo(const UndelegatedReport& report);

}  // namespace et::app
