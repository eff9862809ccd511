#pragma once

#include <QObject>
#include <QPointer>
#include <QTabBar>

namespace et::studio {

/// Lets go of a tab that is pressed when tabs of its bar come or go. Qt 6.8 keeps the number of the pressed
/// tab, and drags whatever it finds there: beyond the last tab it ends the program. Tab bars of docks come
/// and go, so the application is asked.
class PressedTab : public QObject {
  public:
    explicit PressedTab(QObject* parent);

    bool eventFilter(QObject* receiver, QEvent* event) override;

  private:
    QPointer<QTabBar> bar;  ///< where a button is down
    int count = 0;          ///< its tabs then
};

}  // namespace et::studio
