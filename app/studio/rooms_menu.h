#pragma once

#include <QString>

class QMenu;

namespace et::studio {

class RoomArea;

/// Adds an action for entering each panel, and a menu of each panel's own actions.
void addRooms(QMenu& menu, RoomArea& area);

/// The title of the menu with a panel's own actions: "In Timeline".
[[nodiscard]] QString menuOfRoom(const QString& title);

}  // namespace et::studio
