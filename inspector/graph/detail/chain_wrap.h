#pragma once

#include "inspector/graph/graph_layout.h"

#include <optional>

namespace et::inspector::graph::detail {

/// Wraps a left-to-right layout to rows no longer than `length` points, as far as there are positions to cut
/// (wrapped_layout.h). Empty: it is one row.
[[nodiscard]] std::optional<GraphLayout> wrapChain(const GraphLayout& layout, const LayoutRequest& request,
                                                   double length);

}  // namespace et::inspector::graph::detail
