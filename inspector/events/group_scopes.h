#pragma once

#include "inspector/events/event_rows.h"
#include "inspector/events/group_keys.h"
#include "inspector/events/grouping.h"

#include <cstddef>
#include <vector>

namespace et::inspector::events {

/// The scopes, and the one of each block.
struct BlockScopes {
    std::vector<GroupScope> scopes;
    std::vector<std::size_t> ofBlock;  ///< index into `scopes`, one per block of EventRows
    /// Whether all events of a scope have one sample per run, and the same number of runs.
    std::vector<bool> oneSampleARun;
};
[[nodiscard]] BlockScopes blockScopes(const EventRows& rows, const GroupKeys& by);

}  // namespace et::inspector::events
