// Columns of the event table in the window: the command line's table in another order.
#pragma once

#include "inspector/events/event_columns.h"
#include "visualizers/events/event_model.h"

#include <span>

namespace et::visualizers {

/// All columns in the order of EventModel::Column.
[[nodiscard]] std::span<const inspector::events::EventColumnRule* const> eventColumns();

[[nodiscard]] const inspector::events::EventColumnRule& eventColumnRule(EventModel::Column column);

}  // namespace et::visualizers
