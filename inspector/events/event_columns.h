#pragma once

#include "inspector/events/event_rows.h"
#include "inspector/events/event_table.h"

#include <string>
#include <string_view>
#include <vector>

namespace et::inspector::report {

/// What the value of a column may depend on besides its event.
struct ColumnContext {
    const EventBlocks& blocks;
    const EventRows& rows;
    bool anySamples;  ///< an event has statistics: the others' are NaN in a pandas frame, else there is no
                      ///< value
};
[[nodiscard]] ColumnContext columnContext(const EventBlocks& blocks, const EventRows& rows);

/// A column of the event table as it is shown: its header with units, and how to fill it.
struct EventColumnRule {
    EventColumn column;
    std::string_view unit;  ///< "ms" stands for the target unit; empty: none
    bool numeric;
    Cell (*value)(const ColumnContext& context, const EventRow& row);
};

/// Null for a stranger.
[[nodiscard]] const EventColumnRule* findEventColumn(std::string_view id);
[[nodiscard]] Column toColumn(const EventColumnRule& rule, TimeScale target);

/// The columns that `wanted` asks for (EventTableOptions::columns). Errors: NotFound.
[[nodiscard]] core::Result<std::vector<const EventColumnRule*>> chooseEventColumns(
    const std::vector<std::string>& wanted);

}  // namespace et::inspector::report
