#pragma once

class QMenu;

namespace et::studio {

class RoomArea;

/// Adds an action that enters each room, and a menu of each room's own actions.
void addRooms(QMenu& menu, RoomArea& area);

}  // namespace et::studio
