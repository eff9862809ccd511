#pragma once

#include "app/studio/panel.h"

#include <QAction>
#include <QKeySequence>
#include <QList>
#include <QString>

#include <initializer_list>
#include <utility>

class QMenu;
class QPushButton;
class QToolBar;
class QToolButton;

namespace et::studio {

class PanelArea;

/// Adds the command that starts a panel's work: to its actions, and as the framed button of its tool bar.
/// StartKey gives F9 to one of these commands; its button then shows the key.
QAction* addStartAction(Panel& panel, QToolBar& tools, const QString& text);

template <class P, class Slot>
QAction* addStart(P& panel, QToolBar& tools, const QString& text, Slot slot) {
    QAction* const action = addStartAction(panel, tools, text);
    QObject::connect(action, &QAction::triggered, &panel, slot);
    return action;
}

/// Adds the command that stops a panel's work, with its framed button. Both are hidden with the action; while
/// they are visible, the tool bar's start button is not.
QAction* addStopAction(Panel& panel, QToolBar& tools, const QString& text);

template <class P, class Slot>
QAction* addStop(P& panel, QToolBar& tools, const QString& text, Slot slot) {
    QAction* const action = addStopAction(panel, tools, text);
    QObject::connect(action, &QAction::triggered, &panel, slot);
    return action;
}

/// A framed button that triggers a command, and shows its text, key, tool tip and state.
[[nodiscard]] QPushButton* buttonFor(QAction& action, QWidget* parent);
/// Adds a button that opens a menu, which is returned.
QMenu* addMenuButton(QToolBar& tools, const QString& text, const QString& tip);
/// A button "⋯" with a menu of less frequent commands.
[[nodiscard]] QToolButton* moreButton(const QList<QAction*>& actions, QWidget* parent);
/// Adds moreButton().
void addMore(QToolBar& tools, const QList<QAction*>& actions);
/// Adds widgets to a menu, each with a label before it; an empty label leaves none.
void addFields(QMenu& menu, std::initializer_list<std::pair<QString, QWidget*>> fields);

/// Gives F9 to the start command of one panel: the current one if the user added it to the perspective,
/// otherwise the one in front in the perspective's centre, the current panel or another one in front.
class StartKey : public QObject {
    Q_OBJECT

  public:
    /// The area becomes the parent.
    explicit StartKey(PanelArea& of);

  private:
    void update();

    PanelArea& area;
};

}  // namespace et::studio
