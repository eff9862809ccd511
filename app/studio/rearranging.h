#pragma once

#include "app/studio/dock_arranger.h"
#include "app/studio/panel_area.h"

#include <optional>

namespace et::studio {

/// Hides the area while its docks are rearranged, so that their contents are laid out once, at their final
/// positions, and not at each intermediate one.
class PanelArea::Rearranging {
  public:
    explicit Rearranging(PanelArea& of);
    ~Rearranging();
    Rearranging(const Rearranging&) = delete;
    Rearranging& operator=(const Rearranging&) = delete;

  private:
    PanelArea& area;
    bool wasVisible;  ///< false also for a nested instance
    std::optional<LayoutPause> pause;
};

}  // namespace et::studio
