#pragma once

class QTreeWidget;
class QWidget;

namespace et::studio {

/// A tree of a session's tables and columns, with their descriptions as tool tips.
[[nodiscard]] QTreeWidget* createTableTree(QWidget* parent);

}  // namespace et::studio
