#pragma once

#include <utility>
#include <vector>

namespace et::inspector::graph::detail {

/// Maps y coordinates of a layout to those without large empty spaces: boxes keep their size and order.
class HeightMap {
  public:
    /// Everything stays.
    HeightMap() = default;
    /// `taken`: vertical ranges of boxes. `top` is unchanged; spaces of more than `most` points below it,
    /// between boxes, or between the last of them and `bottom` shrink to that size; the uppermost to `first`.
    HeightMap(std::vector<std::pair<double, double>> taken, double top, double bottom, double most,
              double first);

    [[nodiscard]] double at(double y) const;

  private:
    struct Segment {
        double from;
        double to;
    };
    std::vector<Segment> knots;  ///< ascending; linear interpolation
};

}  // namespace et::inspector::graph::detail
