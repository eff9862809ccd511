#pragma once

#include "inspector/graph/graph_layout.h"

namespace et::inspector {

/// Where a layout is to be seen, in points of the layout as large as they are on screen at a scale of 1.
struct LayoutPane {
    double width = 0;
    double height = 0;
    /// A scale below it is too small to read: rather than that, rows go on below the pane.
    double leastScale = 0.7;
    double mostScale = 1.25;  ///< a short chain is not blown up
};

/// The layout with a long, thin chain in as many rows (columns where it goes downwards) as show it largest in
/// the pane, as text is wrapped: cut only between boxes and frames, where few lines cross, which lead on from
/// the end of a row to the beginning of the next. Frames that are too long for a row are wrapped inside;
/// small branches beside them go before them, where it takes that. As it is where one row is best. `layout`
/// is of `request`.
[[nodiscard]] GraphLayout wrapLayout(const GraphLayout& layout, const LayoutRequest& request,
                                     const LayoutPane& pane);

}  // namespace et::inspector
