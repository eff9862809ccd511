#pragma once

#include <QAction>
#include <QKeySequence>
#include <QString>
#include <QWidget>

#include <cstdint>
#include <functional>

namespace et::visualizers {

/// Where the key of an action works.
enum class KeyScope : std::uint8_t {
    Widget,  ///< while the widget itself has the focus: keys that are letters
    Panel,   ///< while it or anything inside of it has the focus
};

/// Adds an action to `owner`, which does `act` on its menu entry or its key. Its tooltip ends with the key:
/// "Zoom In (W)". An empty key is none.
QAction* keyedAction(QWidget& owner, const QString& text, const QKeySequence& key, std::function<void()> act,
                     KeyScope scope = KeyScope::Panel);

/// The same for an action that is on or off; `act` gets its new state.
QAction* keyedToggle(QWidget& owner, const QString& text, const QKeySequence& key, bool on,
                     std::function<void(bool)> act, KeyScope scope = KeyScope::Panel);

/// Another key for the same action; the first is the one that menus and tooltips show.
void alsoOn(QAction& action, const QKeySequence& key);

/// What the tooltip says in place of the action's text; the key stays behind it.
void setTip(QAction& action, const QString& tip);

}  // namespace et::visualizers
