#pragma once

#include <utility>
#include <vector>

namespace et::inspector::detail {

/// From heights in a layout to those in one that has no large empty spaces: what stands somewhere keeps its
/// size and its order.
class HeightMap {
  public:
    /// Everything stays.
    HeightMap() = default;
    /// `taken` by boxes: from and to. `top` stays where it is; a space of more than `most` points below it,
    /// or between boxes, or between the last of them and `bottom`, becomes as small as that; the uppermost
    /// `first`.
    HeightMap(std::vector<std::pair<double, double>> taken, double top, double bottom, double most,
              double first);

    [[nodiscard]] double at(double y) const;

  private:
    struct Knot {
        double from;
        double to;
    };
    std::vector<Knot> knots;  ///< ascending; straight between them
};

}  // namespace et::inspector::detail
