#pragma once

#include "app/studio/room.h"

#include <QAction>
#include <QKeySequence>
#include <QString>
#include <QWidget>

namespace et::studio {

/// A command of a room, among its actions: its key works while the focus is in the room.
template <class R>
QAction* addCommand(R& room, const QString& text, const QKeySequence& key, void (R::*slot)()) {
    auto* const action = new QAction(text, &room);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    QObject::connect(action, &QAction::triggered, &room, slot);
    room.addAction(action);
    return action;
}

/// A command that brings another room, by its id, to the front.
inline QAction* addWayTo(const char* id, const QString& text, Room& room, const RoomContext& context) {
    auto* const action = new QAction(text, &room);
    QObject::connect(action, &QAction::triggered, &room, [enter = context.enter, id] { enter(id); });
    room.addAction(action);
    return action;
}

}  // namespace et::studio
