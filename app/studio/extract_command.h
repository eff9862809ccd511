#pragma once

#include <QList>

class QAction;
class QWidget;

namespace et::studio {

class Room;
struct RoomContext;

/// Adds "Extract…" to a room whose choice is the window's selection: a command that asks how to make a
/// program of its own of what is chosen. It is enabled while an operator of the open program is.
QAction* addExtract(Room& room, const RoomContext& context);

/// Shows the actions on a right click of `view`, which keeps them.
void offerOnRightClick(QWidget& view, const QList<QAction*>& actions);

}  // namespace et::studio
