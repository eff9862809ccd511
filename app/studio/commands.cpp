#include "app/studio/commands.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>

namespace et::studio {

namespace {

/// Returns "&Open…" without mnemonic. A doubled "&" is a literal one.
QString plainText(QString text) {
    constexpr QChar kept(0x1);
    return text.replace(QLatin1String("&&"), kept).remove(u'&').replace(kept, u'&');
}

void addCommands(QList<Command>& commands, const QList<QAction*>& actions, const QString& path) {
    for (QAction* const action : actions) {
        const QString text = plainText(action->text());
        if (const QMenu* const menu = action->menu()) {
            addCommands(commands, menu->actions(),
                        path.isEmpty() ? text : QStringLiteral("%1 › %2").arg(path, text));
        } else if (!action->isSeparator() && !text.isEmpty()) {
            commands.append({path, text, action});
        }
    }
}

}  // namespace

QList<Command> collectCommands(const QMenuBar& menus) {
    QList<Command> commands;
    addCommands(commands, menus.actions(), {});
    return commands;
}

QString keysOf(const QAction& action) {
    return QKeySequence::listToString(action.shortcuts(), QKeySequence::NativeText)
        .replace(QLatin1String("; "), QLatin1String(", "));
}

}  // namespace et::studio
