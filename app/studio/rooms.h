#pragma once

#include "app/studio/room.h"

#include <span>

namespace et::studio {

/// A room that the window has.
struct RoomInfo {
    const char* id;       ///< stable: settings and tests find it by this
    const char* title;    ///< untranslated
    bool showsOperators;  ///< what the selection reveals can be seen there
    bool general;         ///< has something of everything: others come to the front before it
    Room* (*make)(const RoomContext& context, QWidget* parent);
};

/// All rooms, in the order of their tabs.
[[nodiscard]] std::span<const RoomInfo> rooms();

}  // namespace et::studio
