#pragma once

#include "inspector/format/table.h"

#include <QString>
#include <QVariant>

namespace et::visualizers {

/// A cell as the report's table prints it: numbers in six digits, everything else as Python spells it.
[[nodiscard]] QString screenText(const inspector::report::Cell& cell,
                                 const inspector::report::Column& column);

/// What a cell sorts by; the same kind of value in all rows of a column. Invalid where it has no value.
[[nodiscard]] QVariant sortKey(const inspector::report::Cell& cell, const inspector::report::Column& column);

}  // namespace et::visualizers
