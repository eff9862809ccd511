#pragma once

#include "app/tasks/lab/undelegated.h"
#include "inspector/format/table.h"

#include <string>

namespace et::output {

/// One row per operator outside delegates, largest gain first. Times are in microseconds.
[[nodiscard]] inspector::format::Table undelegatedTable(const tasks::UndelegatedReport& report);
/// Text for a terminal above that table: totals. undelegatedNotes() is the text below it: operators that were
/// not measured.
[[nodiscard]] std::string undelegatedSummary(const tasks::UndelegatedReport& report);
[[nodiscard]] std::string undelegatedNotes(const tasks::UndelegatedReport& report);
/// docs/reference/json_programs.md, "delegates --measure".
[[nodiscard]] inspector::format::Dict undelegatedInfo(const tasks::UndelegatedReport& report);

}  // namespace et::output
