#pragma once

#include "app/tasks/lab/undelegated.h"
#include "inspector/format/table.h"

#include <string>

namespace et::app {

/// A row for each operator outside of delegates, most to win first. Times are in microseconds.
[[nodiscard]] inspector::report::Table undelegatedTable(const UndelegatedReport& report);
/// What stands around that table for people: the whole before it, what was not measured behind it.
[[nodiscard]] std::string undelegatedSummary(const UndelegatedReport& report);
[[nodiscard]] std::string undelegatedNotes(const UndelegatedReport& report);
/// docs/json.md, "JSON of undelegated work".
[[nodiscard]] inspector::report::Dict undelegatedInfo(const UndelegatedReport& report);

}  // namespace et::app
