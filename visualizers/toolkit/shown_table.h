#pragma once

#include "inspector/format/table.h"

#include <Qt>

class QAbstractItemView;

namespace et::visualizers {

/// Role of models with display texts: QString, the exact text of a cell or column title for programs, with
/// all digits and in the unit that the title names. Invalid: same as the text on screen.
inline constexpr int exactTextRole = Qt::UserRole + 1000;

/// Content of a table or tree: visible columns in screen order and filtered rows in their order, including
/// children of collapsed rows.
[[nodiscard]] inspector::format::Table shownTable(const QAbstractItemView& view);

}  // namespace et::visualizers
