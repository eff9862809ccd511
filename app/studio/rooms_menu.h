#pragma once

#include <QString>

class QMenu;

namespace et::studio {

class RoomArea;

/// Adds an action that enters each room, and a menu of each room's own actions.
void addRooms(QMenu& menu, RoomArea& area);

/// What the menu of a room's own actions is called, by the room's title: "In Timeline".
[[nodiscard]] QString menuOfRoom(const QString& title);

}  // namespace et::studio
