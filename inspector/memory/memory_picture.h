#pragma once

#include "inspector/memory/memory_text.h"

#include <span>
#include <string>

namespace et::inspector {

/// Renders the plans as one SVG: for each arena a rectangle per tensor over instructions (x) and offsets (y,
/// upwards), with the live bytes above and the peak marked. Each rectangle has a tooltip that describes its
/// tensor.
[[nodiscard]] std::string memoryPicture(std::span<const MemoryView> methods);

}  // namespace et::inspector
