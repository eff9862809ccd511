#pragma once

#include "inspector/graph/graph_layout.h"

#include <cstddef>
#include <span>
#include <vector>

namespace et::inspector::detail {

/// A piece of a curve (GraphLayout::edges) between two borders.
struct CurvePiece {
    std::size_t part;  ///< 0: before the first border
    std::vector<LayoutPoint> points;
};

/// The pieces of a curve that goes to the right, cut where it crosses each border (ascending x), in its
/// order. None of an empty curve and of one that leads back over a border.
[[nodiscard]] std::vector<CurvePiece> cutCurve(std::span<const LayoutPoint> curve,
                                               std::span<const double> borders);

/// Straight from point to point with rounded corners, as a curve. At least two points.
[[nodiscard]] std::vector<LayoutPoint> roundedWay(std::span<const LayoutPoint> corners);

}  // namespace et::inspector::detail
