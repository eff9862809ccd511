#pragma once

class QTreeWidget;
class QWidget;

namespace et::studio {

/// The tables of a session with their columns; tool tips say what they mean.
[[nodiscard]] QTreeWidget* createTableTree(QWidget* parent);

}  // namespace et::studio
