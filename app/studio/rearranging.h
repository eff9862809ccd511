#pragma once

#include "app/studio/dock_arranger.h"
#include "app/studio/room_area.h"

#include <optional>

namespace et::studio {

/// Hides the area while its docks are rearranged, so that their contents are laid out once, at their final
/// positions, and not at each intermediate one.
class RoomArea::Rearranging {
  public:
    explicit Rearranging(RoomArea& of);
    ~Rearranging();
    Rearranging(const Rearranging&) = delete;
    Rearranging& operator=(const Rearranging&) = delete;

  private:
    RoomArea& area;
    bool wasVisible;  ///< false also for a nested instance
    std::optional<LayoutPause> pause;
};

}  // namespace et::studio
