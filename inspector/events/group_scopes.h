#pragma once

#include "inspector/events/event_rows.h"
#include "inspector/events/group_keys.h"
#include "inspector/events/grouping.h"

#include <cstddef>
#include <vector>

namespace et::inspector::report {

/// The scopes of all blocks, and which one each is of.
struct BlockScopes {
    std::vector<GroupScope> scopes;
    std::vector<std::size_t> ofBlock;  ///< index into `scopes`, one a block of EventRows
    /// Whether the samples of all events of a scope are one a run, and of equally many runs.
    std::vector<bool> oneSampleARun;
};
[[nodiscard]] BlockScopes blockScopes(const EventRows& rows, const GroupKeys& by);

}  // namespace et::inspector::report
