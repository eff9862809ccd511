#pragma once

#include "inspector/events/column_request.h"
#include "inspector/events/event_limits.h"
#include "inspector/events/event_rows.h"
#include "inspector/events/event_table.h"

#include <string_view>

namespace et::inspector::report {

/// What the value of a column may depend on besides its event.
struct ColumnContext {
    const EventRows& rows;
    bool anySamples;  ///< an event has statistics: the others' are NaN in a pandas frame, else there is no
                      ///< value
    const EventLimits* limits = nullptr;  ///< null: not known

    /// Null: not known of this event.
    [[nodiscard]] const EventLimit* limitOf(const EventRow& row) const;
};
[[nodiscard]] ColumnContext columnContext(const EventRows& rows, const EventLimits* limits = nullptr);

/// A column of the event table as it is shown: its header with units, and how to fill it.
struct EventColumnRule {
    EventColumn column;
    std::string_view unit;  ///< "ms" stands for the target unit; empty: none
    bool numeric;
    Cell (*value)(const ColumnContext& context, const EventRow& row);
};

/// Whether a column shows something of EventTableOptions::limits; `id` may have a sign in front.
[[nodiscard]] bool isOfLimits(std::string_view id);

/// Null for a stranger.
[[nodiscard]] const EventColumnRule* findEventColumn(std::string_view id);
[[nodiscard]] Column toColumn(const EventColumnRule& rule, TimeScale target);

/// The columns, sort key and number of rows that the options ask for. Errors: NotFound (a column or sort
/// key).
[[nodiscard]] core::Result<ColumnRequest<EventColumnRule>> requestedColumns(const EventTableOptions& options);

}  // namespace et::inspector::report
