// The columns of the event table: their identifiers, titles, and what fills them.
#pragma once

#include "inspector/events/event_columns.h"
#include "visualizers/events/event_model.h"

namespace et::visualizers {

/// Identifier, title, and whether the column is shown at first.
[[nodiscard]] const EventModel::ColumnTraits& eventColumnTraits(EventModel::Column column);

/// The rule of the tables of the command line, by the column's identifier.
[[nodiscard]] const inspector::report::EventColumnRule& eventColumnRule(EventModel::Column column);

}  // namespace et::visualizers
