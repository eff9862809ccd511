#pragma once

#include "app/studio/dock_arranger.h"
#include "app/studio/panels.h"

#include <string_view>
#include <vector>

class QDockWidget;
class QMainWindow;

namespace et::studio {

/// A panel with its description and dock.
struct PanelDock {
    const PanelInfo* info;
    Panel* panel;
    QDockWidget* dock;
    bool inFront = false;  ///< not behind another tab
};

/// The docks of all panels, in the order of panels().
class PanelDocks {
  public:
    void add(const PanelDock& entry) { entries.push_back(entry); }
    [[nodiscard]] const std::vector<PanelDock>& all() const { return entries; }
    [[nodiscard]] std::vector<PanelDock>& all() { return entries; }

    /// Returns null for an unknown id.
    [[nodiscard]] const PanelDock* find(std::string_view id) const;
    [[nodiscard]] QDockWidget* dockOf(std::string_view id) const;
    [[nodiscard]] const PanelDock& of(const Panel& panel) const;
    /// dockOf() as a function, valid as long as this object.
    [[nodiscard]] DockById finder() const;
    /// The first panel of a perspective's centre with content, or else the first in a pane that stays without
    /// content.
    [[nodiscard]] Panel& mainPanel(const Perspective& plan) const;

    /// True if any panel has content.
    [[nodiscard]] bool hasContent() const;
    /// True if this panel has content; false for an unknown id.
    [[nodiscard]] bool hasContent(std::string_view id) const;

    /// Hides the title bars of docks that are tabbed in `area`: their tabs show the panel's name.
    void updateTitleBars(const QMainWindow& area) const;

  private:
    std::vector<PanelDock> entries;
};

}  // namespace et::studio
