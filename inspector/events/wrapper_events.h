#pragma once

#include "inspector/join/event_blocks.h"

#include <vector>

namespace et::inspector::events {

/// For each event of the block, in order, whether it is an OPERATOR_CALL around a kernel with its own times;
/// views then show the kernel only.
[[nodiscard]] std::vector<bool> wrapperEvents(const Block& block);

}  // namespace et::inspector::events
