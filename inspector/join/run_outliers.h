#pragma once

#include "etdump/trace.h"
#include "inspector/join/run_groups.h"

#include <string>
#include <vector>

namespace et::inspector::join::detail {

/// Removes runs that took far longer than the others (outlierFence) from their groups; a group keeps at least
/// its faster runs. The duration of a run is that of its Method::execute, or from its first event to its
/// last. Returns one line for each group that lost runs, for EventBlocks::warnings().
[[nodiscard]] std::vector<std::string> leaveOutOutliers(const etdump::Trace& trace, RunGroups& groups);

}  // namespace et::inspector::join::detail
