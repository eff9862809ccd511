#pragma once

#include <QAction>
#include <QList>
#include <QPointer>
#include <QString>

class QMenuBar;

namespace et::studio {

/// An action of a menu with the way to it.
struct Command {
    QString path;              ///< "View › Appearance", without the action's own text
    QString text;              ///< "Dark"
    QPointer<QAction> action;  ///< null: its menu was filled anew meanwhile
};

/// All actions of the menus and their submenus, in their order; without separators and those that have no
/// text.
[[nodiscard]] QList<Command> commandsOf(const QMenuBar& menus);

/// "Ctrl+C, Ctrl+Ins" as the desktop spells it; empty without keys.
[[nodiscard]] QString keysOf(const QAction& action);

}  // namespace et::studio
