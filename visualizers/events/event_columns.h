// Columns of the event table: identifiers, titles and content.
#pragma once

#include "inspector/events/event_columns.h"
#include "visualizers/events/event_model.h"

namespace et::visualizers {

/// Identifier, title and initial visibility of the column.
[[nodiscard]] const EventModel::ColumnTraits& eventColumnTraits(EventModel::Column column);

/// The command line's table rule with the column's identifier.
[[nodiscard]] const inspector::report::EventColumnRule& eventColumnRule(EventModel::Column column);

}  // namespace et::visualizers
