#pragma once

#include "inspector/events/event_rows.h"
#include "inspector/events/event_table.h"
#include "inspector/events/row_selection.h"
#include "inspector/format/time_scale.h"

namespace et::inspector::report {

/// One row a group, largest first within its block. What is summed is each event's self time (EventRow), so
/// that no time counts twice and the rows of a block add up to its total: what calls and Method::execute
/// spend outside the events within them is the row "(unattributed)", what a filter or module leaves out
/// "(filtered out)". With GroupBy::Delegate each delegate call has a row of its own, followed by rows
/// (`operator` is set) that add up to it. Errors: NotFound (a column or sort key).
[[nodiscard]] core::Result<Table> groupedTable(const EventRows& rows, const RowSelection& selection,
                                               const EventTableOptions& options, TimeScale target);

}  // namespace et::inspector::report
