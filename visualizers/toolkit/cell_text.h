#pragma once

#include "inspector/format/table.h"

#include <QString>
#include <QVariant>

namespace et::visualizers {

/// Cell text as in the report's table: numbers with six digits, everything else in Python's notation.
/// `adaptUnits`: numbers of a column with a unit are shown in a suitable unit.
[[nodiscard]] QString screenText(const inspector::format::Cell& cell, const inspector::format::Column& column,
                                 bool adaptUnits = false);

/// Sort key of a cell, with the same type in all rows of a column. Invalid if the cell has no value.
[[nodiscard]] QVariant sortKey(const inspector::format::Cell& cell, const inspector::format::Column& column);

}  // namespace et::visualizers
