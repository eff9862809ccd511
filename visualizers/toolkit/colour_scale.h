#pragma once

#include <QColor>

#include <cstdint>
#include <span>

namespace et::visualizers {

/// Maps numbers to colours.
class ColourScale {
  public:
    enum class Kind : std::uint8_t {
        Sequential,  ///< from the smallest number (dark) to the largest (light)
        Diverging,   ///< blue below 0, grey at 0, red above; both ends have the same distance from 0
    };

    ColourScale() = default;
    /// Covers the finite numbers.
    ColourScale(Kind scale, std::span<const double> numbers);

    [[nodiscard]] double lowest() const { return low; }
    [[nodiscard]] double highest() const { return high; }
    /// Numbers outside the range get the colour of the nearer end.
    [[nodiscard]] QRgb colour(double number) const;

    /// Colours of numbers without a position on the scale.
    static constexpr QRgb nanColour = 0xffe040e0;
    static constexpr QRgb positiveInfinityColour = 0xffff9020;
    static constexpr QRgb negativeInfinityColour = 0xff20d0c0;

  private:
    Kind kind = Kind::Sequential;
    double low = 0;
    double high = 0;
};

}  // namespace et::visualizers
