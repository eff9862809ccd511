#pragma once

#include <QObject>

class QMouseEvent;
class QTabBar;

namespace et::studio {

/// Releases a pressed tab when tabs are added to or removed from its bar. Qt 6.8 stores the index of the
/// pressed tab, and drags whichever tab has that index later: beyond the last tab, the program crashes. It
/// also keeps the index if another window received the release, such as a menu or dialog opened meanwhile. An
/// event filter on the application, because tab bars of docks are created and deleted dynamically.
class PressedTab : public QObject {
  public:
    explicit PressedTab(QObject* parent);

    bool eventFilter(QObject* receiver, QEvent* event) override;

  private:
    /// Returns true if it ended a drag.
    static bool cancelDrag(QTabBar& bar, const QMouseEvent& move);
};

}  // namespace et::studio
