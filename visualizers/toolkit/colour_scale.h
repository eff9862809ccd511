#pragma once

#include <QColor>

#include <cstdint>
#include <span>

namespace et::visualizers {

/// Turns numbers into colours.
class ColourScale {
  public:
    enum class Kind : std::uint8_t {
        Sequential,  ///< from the smallest number (dark) to the largest (light)
        Diverging,   ///< around 0: blue below, grey at it, red above; both ends equally far away
    };

    ColourScale() = default;
    /// Spans the finite numbers.
    ColourScale(Kind scale, std::span<const double> numbers);

    [[nodiscard]] double lowest() const { return low; }
    [[nodiscard]] double highest() const { return high; }
    /// Numbers outside the span get the colour of its end.
    [[nodiscard]] QRgb colour(double number) const;

    /// What stands for numbers without a place on the scale.
    static constexpr QRgb nanColour = 0xffe040e0;
    static constexpr QRgb positiveInfinityColour = 0xffff9020;
    static constexpr QRgb negativeInfinityColour = 0xff20d0c0;

  private:
    Kind kind = Kind::Sequential;
    double low = 0;
    double high = 0;
};

}  // namespace et::visualizers
