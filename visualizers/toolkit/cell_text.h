#pragma once

#include "inspector/format/table.h"

#include <QString>
#include <QVariant>

namespace et::visualizers {

/// A cell as the report's table prints it: numbers in six digits, everything else as Python spells it.
/// `adaptUnits`: numbers of a column with a measure are in the unit that fits them.
[[nodiscard]] QString screenText(const inspector::report::Cell& cell, const inspector::report::Column& column,
                                 bool adaptUnits = false);

/// What a cell sorts by; the same kind of value in all rows of a column. Invalid where it has no value.
[[nodiscard]] QVariant sortKey(const inspector::report::Cell& cell, const inspector::report::Column& column);

}  // namespace et::visualizers
