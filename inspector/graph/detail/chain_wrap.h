#pragma once

#include "inspector/graph/graph_layout.h"

#include <optional>

namespace et::inspector::detail {

/// The layout, which goes from left to right, in rows no longer than `length` points, as far as there are
/// places to cut (wrapped_layout.h). Nothing: it is one row.
[[nodiscard]] std::optional<GraphLayout> wrapChain(const GraphLayout& layout, const LayoutRequest& request,
                                                   double length);

}  // namespace et::inspector::detail
