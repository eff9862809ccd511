#pragma once

#include "inspector/memory/memory_text.h"

#include <span>
#include <string>

namespace et::inspector {

/// The plans as one SVG: of each arena, a rectangle for each tensor over instructions (to the right) and
/// offsets (upwards), above it the bytes that are alive, with the peak marked. Resting the mouse on a
/// rectangle says what it is.
[[nodiscard]] std::string memoryPicture(std::span<const MemoryView> methods);

}  // namespace et::inspector
