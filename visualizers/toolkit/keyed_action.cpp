#include "visualizers/toolkit/keyed_action.h"

#include <utility>

namespace et::visualizers {

namespace {

QAction* newKeyedAction(QWidget& owner, const QString& text, const QKeySequence& key, KeyScope scope) {
    auto* const action = new QAction(text, &owner);
    action->setShortcut(key);
    // Another view of the window may use the same key, so it works only in the view with the focus.
    action->setShortcutContext(scope == KeyScope::Widget ? Qt::WidgetShortcut
                                                         : Qt::WidgetWithChildrenShortcut);
    setTip(*action, QString(text).remove(u'&'));
    owner.addAction(action);
    return action;
}

}  // namespace

QAction* keyedAction(QWidget& owner, const QString& text, const QKeySequence& key, std::function<void()> act,
                     KeyScope scope) {
    QAction* const action = newKeyedAction(owner, text, key, scope);
    QObject::connect(action, &QAction::triggered, &owner, [done = std::move(act)] { done(); });
    return action;
}

QAction* keyedToggle(QWidget& owner, const QString& text, const QKeySequence& key, bool on,
                     std::function<void(bool)> act, KeyScope scope) {
    QAction* const action = newKeyedAction(owner, text, key, scope);
    action->setCheckable(true);
    action->setChecked(on);
    QObject::connect(action, &QAction::toggled, &owner, std::move(act));
    return action;
}

void alsoOn(QAction& action, const QKeySequence& key) {
    action.setShortcuts(action.shortcuts() << key);
}

void setTip(QAction& action, const QString& tip) {
    const QString key = action.shortcut().toString(QKeySequence::NativeText);
    action.setToolTip(key.isEmpty() ? tip : QStringLiteral("%1 (%2)").arg(tip, key));
}

}  // namespace et::visualizers
