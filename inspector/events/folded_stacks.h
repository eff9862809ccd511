#pragma once

#include "inspector/events/flame_tree.h"
#include "inspector/join/event_blocks.h"
#include "runtime/core/result.h"

#include <iosfwd>

namespace et::inspector::report {

/// Where the time of a typical run goes, as folded stacks: a line for each node of flameTree() that takes
/// time itself, "Inference;forward;stem;conv2d 6405", which flamegraph.pl, speedscope and inferno draw. Of
/// every block with times; numbers are whole units of the blocks. Signs that would end a name are replaced.
/// Errors: Io.
[[nodiscard]] core::Result<> writeFoldedStacks(const EventBlocks& blocks, FlameBy by, std::ostream& out);

}  // namespace et::inspector::report
