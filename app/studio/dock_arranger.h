#pragma once

#include "app/studio/perspectives.h"

#include <functional>
#include <string_view>

class QDockWidget;
class QMainWindow;

namespace et::studio {

/// Defers the layout of a dock area: while an instance exists, docks can be added, removed and moved; a
/// single layout follows at its end. Can be nested.
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

/// Returns the dock of a panel by its id; null if there is none.
using DockById = std::function<QDockWidget*(std::string_view id)>;

/// The dock around which the others of a perspective are arranged.
[[nodiscard]] QDockWidget* mainDock(const Perspective& plan, const DockById& dockOf);

/// Arranges docks that are not yet in `area` according to `plan`. Their sizes are set by applyShares(), after
/// the window's layout.
void arrange(QMainWindow& area, const Perspective& plan, const DockById& dockOf);

}  // namespace et::studio
