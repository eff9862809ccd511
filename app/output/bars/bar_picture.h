#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

// Bar charts of comparable figures: times of programs, shares of findings, sizes before and after.
namespace et::output {

/// Colour of a bar.
enum class BarTone : std::uint8_t { Plain, Good, Bad, Faint };

/// One figure.
struct Bar {
    std::string label;
    double value = 0;             ///< may be negative; NaN and infinities are printed, not drawn
    std::string text;             ///< the figure as text
    std::optional<double> low{};  ///< with `high`: an interval, drawn as whiskers
    std::optional<double> high{};
    BarTone tone = BarTone::Plain;
};

/// Draws bars from top to bottom over one axis that includes 0, under a title. At most `maxBars` are drawn;
/// the picture gives the number of omitted ones.
[[nodiscard]] std::string barPicture(const std::string& title, std::span<const Bar> bars);
inline constexpr std::size_t maxBars = 60;

}  // namespace et::output
