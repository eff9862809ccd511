#pragma once

#include "inspector/memory/detail/value_uses.h"
#include "inspector/memory/memory_timeline.h"

#include <vector>

namespace et::inspector::detail {

/// Tensors that are alive at the same time in the same memory, unless a run writes only one of them. Each
/// tensor is named as `second` once at most, however many it overlaps; the first thousand are found.
[[nodiscard]] std::vector<PlanOverlap> findOverlaps(const std::vector<PlannedTensor>& tensors,
                                                    const std::vector<Branch>& branches);

}  // namespace et::inspector::detail
