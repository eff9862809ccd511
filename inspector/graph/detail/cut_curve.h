#pragma once

#include "inspector/graph/graph_layout.h"

#include <cstddef>
#include <span>
#include <vector>

namespace et::inspector::graph::detail {

/// Piece of a curve (GraphLayout::edges) between two borders.
struct CurvePiece {
    std::size_t part;  ///< index of the part; 0: before the first border
    std::vector<LayoutPoint> points;
};

/// Cuts a rightward curve where it crosses each border (ascending x); pieces are in order. Empty for an empty
/// curve and for one that leads back over a border.
[[nodiscard]] std::vector<CurvePiece> cutCurve(std::span<const LayoutPoint> curve,
                                               std::span<const double> borders);

/// Polyline with rounded corners, as a curve. Requires at least two points.
[[nodiscard]] std::vector<LayoutPoint> roundedPolyline(std::span<const LayoutPoint> corners);

}  // namespace et::inspector::graph::detail
