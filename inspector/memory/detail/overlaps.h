#pragma once

#include "inspector/memory/detail/value_uses.h"
#include "inspector/memory/memory_timeline.h"

#include <vector>

namespace et::inspector::memory::detail {

/// Finds tensors that are alive at the same time in the same memory, unless a run writes only one of them.
/// Each tensor appears as `second` at most once, however many it overlaps; at most the first thousand are
/// found.
[[nodiscard]] std::vector<PlanOverlap> findOverlaps(const std::vector<PlannedTensor>& tensors,
                                                    const std::vector<join::detail::Branch>& branches);

}  // namespace et::inspector::memory::detail
