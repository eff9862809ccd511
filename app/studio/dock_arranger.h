#pragma once

#include "app/studio/perspectives.h"

#include <functional>
#include <string_view>

class QDockWidget;
class QMainWindow;

namespace et::studio {

/// While it lives, docks come, go and change places without the area laying all of them out anew each time:
/// that is done once, at its end. They may be nested.
class LayoutPause {
  public:
    explicit LayoutPause(const QMainWindow& of);
    ~LayoutPause();
    LayoutPause(const LayoutPause&) = delete;
    LayoutPause& operator=(const LayoutPause&) = delete;

  private:
    const QMainWindow& area;
    bool outermost;
};

/// The dock of a room by its id; null: there is no such room.
using DockById = std::function<QDockWidget*(std::string_view id)>;

/// The dock that the others of a perspective stand around.
[[nodiscard]] QDockWidget* mainDock(const Perspective& plan, const DockById& dockOf);

/// Puts docks that have no place in `area` where `plan` says. Their sizes are set by applyShares(), once the
/// window has been laid out.
void arrange(QMainWindow& area, const Perspective& plan, const DockById& dockOf);

}  // namespace et::studio
