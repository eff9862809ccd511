#pragma once

#include "inspector/instruction_nodes.h"
#include "inspector/memory/memory_timeline.h"

#include <span>
#include <string>

namespace et::inspector {

/// A method's memory and what a record says of its instructions.
struct MemoryView {
    const MemoryTimeline& timeline;
    const InstructionNodes& nodes;
};

/// The plans as one SVG: of each arena, a rectangle for each tensor over instructions (to the right) and
/// offsets (upwards), above it the bytes that are alive, with the peak marked. Resting the mouse on a
/// rectangle says what it is.
[[nodiscard]] std::string memoryPicture(std::span<const MemoryView> methods);

}  // namespace et::inspector
