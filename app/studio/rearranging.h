#pragma once

#include "app/studio/dock_arranger.h"
#include "app/studio/room_area.h"

#include <optional>

namespace et::studio {

/// While it lives, the docks of an area get other places. The area is hidden meanwhile: what is in the docks
/// is laid out once, for the places that they come to, and not for each one that they have on the way.
class RoomArea::Rearranging {
  public:
    explicit Rearranging(RoomArea& of);
    ~Rearranging();
    Rearranging(const Rearranging&) = delete;
    Rearranging& operator=(const Rearranging&) = delete;

  private:
    RoomArea& area;
    bool wasVisible;  ///< false as well for one within another
    std::optional<LayoutPause> pause;
};

}  // namespace et::studio
