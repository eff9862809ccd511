#pragma once

#include <QObject>

class QMouseEvent;
class QTabBar;

namespace et::studio {

/// Lets go of a tab that is pressed when tabs of its bar come or go. Qt 6.8 keeps the number of the pressed
/// tab, and drags whatever it finds there: beyond the last tab it ends the program. It keeps it, too, where
/// another window got the release: a menu or dialog that opened meanwhile. Tab bars of docks come and go, so
/// the application is asked.
class PressedTab : public QObject {
  public:
    explicit PressedTab(QObject* parent);

    bool eventFilter(QObject* receiver, QEvent* event) override;

  private:
    /// Whether it was an end of the drag.
    static bool letGo(QTabBar& bar, const QMouseEvent& move);
};

}  // namespace et::studio
