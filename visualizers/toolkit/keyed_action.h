#pragma once

#include <QAction>
#include <QKeySequence>
#include <QString>
#include <QWidget>

#include <cstdint>
#include <functional>

namespace et::visualizers {

/// Scope of an action's key.
enum class KeyScope : std::uint8_t {
    Widget,  ///< while the widget itself has the focus; for letter keys
    Panel,   ///< while it or a child has the focus
};

/// Adds an action to `owner` that calls `act` from its menu entry or key. The key is appended to the tool
/// tip: "Zoom In (W)". An empty key adds none.
QAction* keyedAction(QWidget& owner, const QString& text, const QKeySequence& key, std::function<void()> act,
                     KeyScope scope = KeyScope::Panel);

/// Same as keyedAction() for a checkable action; `act` gets the new state.
QAction* keyedToggle(QWidget& owner, const QString& text, const QKeySequence& key, bool on,
                     std::function<void(bool)> act, KeyScope scope = KeyScope::Panel);

/// Adds an alternative key to an action; menus and tool tips show the first one.
void alsoOn(QAction& action, const QKeySequence& key);

/// Replaces the action's text in the tool tip; the key stays appended.
void setTip(QAction& action, const QString& tip);

}  // namespace et::visualizers
