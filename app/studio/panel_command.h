#pragma once

#include "app/studio/panel.h"

#include <QAction>
#include <QKeySequence>
#include <QString>
#include <QWidget>

namespace et::studio {

/// Adds a command to a panel's actions: its shortcut works while the focus is in the panel.
template <class R, class Slot>
QAction* addCommand(R& panel, const QString& text, const QKeySequence& key, Slot slot) {
    auto* const action = new QAction(text, &panel);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    QObject::connect(action, &QAction::triggered, &panel, slot);
    panel.addAction(action);
    return action;
}

/// Adds a command that raises another panel by its id.
inline QAction* addWayTo(const char* id, const QString& text, Panel& panel, const PanelContext& context) {
    auto* const action = new QAction(text, &panel);
    QObject::connect(action, &QAction::triggered, &panel, [enter = context.enter, id] { enter(id); });
    panel.addAction(action);
    return action;
}

}  // namespace et::studio
