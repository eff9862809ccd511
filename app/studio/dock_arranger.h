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

/// Puts docks that have no place in `area` where `plan` says. They have their sizes once the window was laid
/// out: call giveSizes() then.
void arrange(QMainWindow& area, const Perspective& plan, const DockById& dockOf);

/// Gives what stands as `plan` says its share of the window.
void giveSizes(QMainWindow& area, const Perspective& plan, const DockById& dockOf);

}  // namespace et::studio
