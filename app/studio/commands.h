#pragma once

#include <QAction>
#include <QList>
#include <QPointer>
#include <QString>

class QMenuBar;

namespace et::inspector {
class EventBlocks;
}
namespace et::visualizers {
class Selection;
}

namespace et::studio {

/// A menu action with its menu path.
struct Command {
    QString path;              ///< "View › Appearance", without the action's own text
    QString text;              ///< "Dark"
    QPointer<QAction> action;  ///< null if its menu was rebuilt meanwhile
};

/// Returns all actions of the menus and their submenus in order, except separators and those without text.
[[nodiscard]] QList<Command> collectCommands(const QMenuBar& menus);

/// Other words that people search for the command with this text: "quantize int8" for "Quantize". May be
/// empty.
[[nodiscard]] QString synonymsOf(const QString& text);

/// "Ctrl+C, Ctrl+Ins" in the desktop's spelling; empty without shortcuts.
[[nodiscard]] QString keysOf(const QAction& action);

/// Returns a command for each operator of a trace that selects and shows it. Each call deletes the commands
/// of the previous one; until then `owner` owns them. Null blocks: none.
[[nodiscard]] QList<Command> operatorCommands(const inspector::EventBlocks* blocks,
                                              visualizers::Selection& selection, QObject& owner);

}  // namespace et::studio
