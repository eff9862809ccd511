#pragma once

#include <QAction>
#include <QList>
#include <QPointer>
#include <QString>

class QMenuBar;

namespace et::studio {

/// A menu action with its menu path.
struct Command {
    QString path;              ///< "View › Appearance", without the action's own text
    QString text;              ///< "Dark"
    QPointer<QAction> action;  ///< null if its menu was rebuilt meanwhile
};

/// Returns all actions of the menus and their submenus in order, except separators and those without text.
[[nodiscard]] QList<Command> collectCommands(const QMenuBar& menus);

/// "Ctrl+C, Ctrl+Ins" in the desktop's spelling; empty without shortcuts.
[[nodiscard]] QString keysOf(const QAction& action);

}  // namespace et::studio
