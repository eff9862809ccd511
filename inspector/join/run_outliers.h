#pragma once

#include "etdump/trace.h"
#include "inspector/join/run_groups.h"

#include <string>
#include <vector>

namespace et::inspector::detail {

/// Takes the runs out of their groups that took far longer than the others (outlierFence); a group keeps at
/// least its faster ones. A run lasts as long as its Method::execute, or from its first event to its last.
/// Returns one line a group that lost some, for EventBlocks::warnings().
[[nodiscard]] std::vector<std::string> leaveOutOutliers(const etdump::Trace& trace, RunGroups& groups);

}  // namespace et::inspector::detail
