#pragma once

#include "app/studio/dock_sizes.h"
#include "app/studio/panel_docks.h"

#include <set>

namespace et::studio {

/// Docks that are hidden until they have content or space: panes whose panel has no content, and the pane
/// below the centre in a low window or without content.
class HiddenDocks {
  public:
    /// All parameters must outlive this object.
    HiddenDocks(QMainWindow& of, const PanelDocks& placed, DockSizes& sizesOfDocks)
        : area(of), docks(placed), sizes(sizesOfDocks) {}

    [[nodiscard]] const std::set<QDockWidget*>& all() const { return hidden; }
    /// Hides panes with mayBeHidden whose panel has no content (their first one, or the visible one if they
    /// show one at a time), and shows those that have content again.
    void update(const Perspective& plan);
    /// Hides or shows the pane below the centre, depending on its content and the window's height. True if
    /// that changed.
    bool fitDrawer(const Perspective& plan);
    [[nodiscard]] bool isInDrawer(const Perspective& plan, const QDockWidget& dock) const;
    /// Whether the pane below the centre stays, because the user has opened it.
    void setDrawerWanted(bool wanted) { drawerWanted = wanted; }
    /// Call while the area is temporarily hidden.
    void setRearranged(bool now) { rearranged = now; }
    /// Removes a dock that is shown or hidden for another reason. False if it was not hidden.
    bool forget(QDockWidget& dock) { return hidden.erase(&dock) > 0; }
    void clear() { hidden.clear(); }

  private:
    [[nodiscard]] bool isDrawerHidden(const Perspective& plan) const;

    QMainWindow& area;
    const PanelDocks& docks;
    DockSizes& sizes;
    std::set<QDockWidget*> hidden;
    bool drawerWanted = false;
    bool rearranged = false;
};

}  // namespace et::studio
