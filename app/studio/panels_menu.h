#pragma once

#include <QString>

class QMenu;
class QMenuBar;

namespace et::studio {

class PanelArea;

/// Adds an action for entering each panel, and a menu of each panel's own actions.
/// `bar` contains the menu.
void addPanels(QMenu& menu, QMenuBar& bar, PanelArea& area);

/// The title of the menu with a panel's own actions: "In Timeline".
[[nodiscard]] QString menuOfPanel(const QString& title);

}  // namespace et::studio
