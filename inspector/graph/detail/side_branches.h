#pragma once

#include "inspector/graph/graph_layout.h"

namespace et::inspector::graph::detail {

/// Moves everything above or below a frame that is longer than a row of `length` points to before that frame
/// in a left-to-right layout, if it is a branch and a small part of the graph. The frame then has nothing
/// next to it and can be wrapped inside (chain_wrap.h). Unchanged if there is no such branch.
[[nodiscard]] GraphLayout withBranchesAside(const GraphLayout& layout, const LayoutRequest& request,
                                            double length);

}  // namespace et::inspector::graph::detail
