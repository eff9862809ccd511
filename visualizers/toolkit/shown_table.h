#pragma once

#include "inspector/format/table.h"

#include <Qt>

class QAbstractItemView;

namespace et::visualizers {

/// A role of models whose texts are made for people: QString, the cell (or the title above it) as programs
/// read it, with all digits and in the unit that the title names. Invalid: the text on screen is all there
/// is.
inline constexpr int exactTextRole = Qt::UserRole + 1000;

/// What a table or tree shows: its columns in the order on screen without those that are hidden, and the rows
/// that its filter leaves in their order, also those below rows that are closed.
[[nodiscard]] inspector::report::Table shownTable(const QAbstractItemView& view);

}  // namespace et::visualizers
