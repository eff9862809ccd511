#pragma once

#include "inspector/graph/graph_layout.h"

namespace et::inspector {

/// The visible pane, in points of the layout at a scale of 1.
struct LayoutPane {
    double width = 0;
    double height = 0;
    /// Minimum readable scale; below it, rows extend below the pane instead.
    double leastScale = 0.7;
    double mostScale = 1.25;  ///< limits the enlargement of short chains
};

/// Wraps a long, thin chain into the number of rows (columns if it goes downwards) that shows it largest in
/// the pane: cut only between boxes and frames where few lines cross; these lines continue from the end of a
/// row to the beginning of the next. Frames that are too long for a row are wrapped inside; small branches
/// next to them move before them if needed. Unchanged if one row is best. `layout` must belong to `request`.
[[nodiscard]] GraphLayout wrapLayout(const GraphLayout& layout, const LayoutRequest& request,
                                     const LayoutPane& pane);

}  // namespace et::inspector
