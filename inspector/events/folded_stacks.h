#pragma once

#include "inspector/events/flame_tree.h"
#include "inspector/join/event_blocks.h"
#include "runtime/core/result.h"

#include <iosfwd>

namespace et::inspector::events {

/// Writes the time of a typical run as folded stacks: a line for each node of flameTree() with self time,
/// "Inference;forward;stem;conv2d 6405", readable by flamegraph.pl, speedscope and inferno. Includes every
/// block with times; numbers are whole units of the blocks. Characters that would end a name are replaced.
/// Errors: Io.
[[nodiscard]] core::Result<> writeFoldedStacks(const EventBlocks& blocks, FlameBy by, std::ostream& out);

}  // namespace et::inspector::events
