#pragma once

#include "inspector/graph/graph_layout.h"

namespace et::inspector::detail {

/// The layout, which goes from left to right, with what stands above or below a frame longer than a row of
/// `length` points moved to before that frame, as far as it is a branch beside it and not much of the graph:
/// so the frame has nothing beside it and can be wrapped inside (chain_wrap.h). As it is where there is none.
[[nodiscard]] GraphLayout withBranchesAside(const GraphLayout& layout, const LayoutRequest& request,
                                            double length);

}  // namespace et::inspector::detail
