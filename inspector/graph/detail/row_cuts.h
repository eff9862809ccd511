#pragma once

#include "inspector/graph/graph_layout.h"

#include <cstddef>
#include <span>
#include <vector>

namespace et::inspector::detail {

inline constexpr double frameRoom = 10;  ///< in points: between a frame and the rows in it

/// How long rows may be in each frame, so that those of the picture are no longer than `length`.
[[nodiscard]] std::vector<double> rowLengths(const GraphLayout& layout, const LayoutRequest& request,
                                             double length);

/// Of the places where what goes from `from` to `to` can be cut (ascending), those that make as few rows as
/// it takes for none to be longer than `length`, all of much the same length. A part between two places that
/// is longer is a row of its own.
[[nodiscard]] std::vector<double> evenCuts(std::span<const double> places, double from, double to,
                                           double length);

/// How many lines cross a place.
class Crossings {
  public:
    /// Of those that lead to the right, or of those that lead to the left.
    enum class Way : bool { On, Back };
    Crossings(const std::vector<std::vector<LayoutPoint>>& lines, Way way);

    [[nodiscard]] std::size_t at(double x) const;

  private:
    std::vector<double> begins;  ///< ascending: the left ends
    std::vector<double> ends;    ///< ascending: the right ends
};

}  // namespace et::inspector::detail
