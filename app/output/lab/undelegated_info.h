#pragma once

#include "app/output/cells.h"
#include "app/tasks/lab/undelegated.h"

#include <string>

namespace et::output {

/// One row per operator outside delegates, largest gain first. Times are in microseconds.
[[nodiscard]] Table undelegatedTable(const tasks::UndelegatedReport& report);
/// Text for a terminal above that table: totals. undelegatedNotes() is the text below it: operators that were
/// not measured.
[[nodiscard]] std::string undelegatedSummary(const tasks::UndelegatedReport& report);
[[nodiscard]] std::string undelegatedNotes(const tasks::UndelegatedReport& report);
/// docs/reference/json_programs.md, "delegates --measure".
[[nodiscard]] Dict undelegatedInfo(const tasks::UndelegatedReport& report);

}  // namespace et::output
