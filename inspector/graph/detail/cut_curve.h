#pragma once

#include "inspector/graph/graph_layout.h"

#include <cstddef>
#include <span>
#include <vector>

namespace et::inspector::graph::detail {

inline constexpr double frameRoom = 10;  ///< in points, between a frame and its rows

/// Maximum row length in each frame, such that the rows of the whole layout are no longer than `length`.
[[nodiscard]] std::vector<double> rowLengths(const GraphLayout& layout, const LayoutRequest& request,
                                             double length);

/// Selects from the cut positions between `from` and `to` (ascending) those that give the fewest rows no
/// longer than `length`, of similar lengths. A part between two positions that is longer gets its own row.
[[nodiscard]] std::vector<double> evenCuts(std::span<const double> places, double from, double to,
                                           double length);

/// Counts the lines that cross a position.
class Crossings {
  public:
    /// Lines that lead to the right, or lines that lead to the left.
    enum class Direction : bool { On, Back };
    Crossings(const std::vector<std::vector<LayoutPoint>>& lines, Direction way);

    [[nodiscard]] std::size_t at(double x) const;

  private:
    std::vector<double> begins;  ///< ascending: the left ends
    std::vector<double> ends;    ///< ascending: the right ends
};

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
