#pragma once

#include "inspector/join/event_blocks.h"

#include <vector>

namespace et::inspector::report {

/// Of each event of the block, in their order, whether it is an OPERATOR_CALL that wraps a kernel with times
/// of its own: both say the same, so that views show the kernel alone.
[[nodiscard]] std::vector<bool> wrapperEvents(const Block& block);

}  // namespace et::inspector::report
