#pragma once

#include "inspector/events/column_request.h"
#include "inspector/events/event_limits.h"
#include "inspector/events/event_rows.h"
#include "inspector/events/event_table.h"

#include <span>
#include <string_view>

namespace et::inspector::events {

/// Context of a column's value besides its event.
struct ColumnContext {
    const EventRows& rows;
    bool anySamples;  ///< an event has statistics: others are then NaN as in a pandas frame, instead of
                      ///< missing
    const EventLimits* limits = nullptr;  ///< null: unknown

    /// Null if unknown for this event.
    [[nodiscard]] const EventLimit* limitOf(const EventRow& row) const;
};
[[nodiscard]] ColumnContext columnContext(const EventRows& rows, const EventLimits* limits = nullptr);

/// A displayed column of the event table: its header with units, and how to fill it.
struct EventColumnRule {
    EventColumn column;
    std::string_view unit;  ///< "ms" is replaced with the target unit; empty: none
    bool numeric;
    format::Cell (*value)(const ColumnContext& context, const EventRow& row);
};

/// Whether a column shows a value of EventTableOptions::limits; `id` may have a leading sign.
[[nodiscard]] bool isOfLimits(std::string_view id);

/// All columns, in the order of `--columns all`.
[[nodiscard]] std::span<const EventColumnRule> eventColumnRules();
/// Null for an unknown id.
[[nodiscard]] const EventColumnRule* findEventColumn(std::string_view id);
[[nodiscard]] format::Column toColumn(const EventColumnRule& rule, TimeScale target);

/// Columns, sort key and number of rows requested by the options. Errors: NotFound (a column or sort key).
[[nodiscard]] core::Result<ColumnRequest<EventColumnRule>> requestedColumns(const EventTableOptions& options);

}  // namespace et::inspector::events
