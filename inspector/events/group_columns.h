#pragma once

#include "inspector/events/event_table.h"
#include "inspector/events/grouping.h"
#include "inspector/format/time_scale.h"

namespace et::inspector::events {

/// Groups as a table: one row each; with GroupBy::Delegate followed by rows for its parts (`operator` is
/// set). Errors: NotFound (a column or sort key of the options).
[[nodiscard]] core::Result<format::Table> groupedTable(const Groups& groups, const EventTableOptions& options,
                                                       TimeScale target);

}  // namespace et::inspector::events
