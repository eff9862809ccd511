#pragma once

#include "app/studio/room.h"

#include <QAction>
#include <QKeySequence>
#include <QString>
#include <QWidget>

namespace et::studio {

/// Adds a command to a panel's actions: its shortcut works while the focus is in the panel.
template <class R>
QAction* addCommand(R& room, const QString& text, const QKeySequence& key, void (R::*slot)()) {
    auto* const action = new QAction(text, &room);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    QObject::connect(action, &QAction::triggered, &room, slot);
    room.addAction(action);
    return action;
}

/// Adds a command that raises another panel by its id.
inline QAction* addWayTo(const char* id, const QString& text, Room& room, const RoomContext& context) {
    auto* const action = new QAction(text, &room);
    QObject::connect(action, &QAction::triggered, &room, [enter = context.enter, id] { enter(id); });
    room.addAction(action);
    return action;
}

}  // namespace et::studio
