#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

// Figures of one kind beside one another: times of programs, shares of findings, sizes before and after.
namespace et::app {

/// How a bar is coloured: what it says at a glance.
enum class BarTone : std::uint8_t { Plain, Good, Bad, Faint };

/// One figure.
struct Bar {
    std::string label;
    double value = 0;             ///< may be negative; NaN and infinities are said, not drawn
    std::string text;             ///< the figure as people read it
    std::optional<double> low{};  ///< with `high`: an interval, drawn as a whisker
    std::optional<double> high{};
    BarTone tone = BarTone::Plain;
};

/// Bars from top to bottom over one axis that has 0 on it, under a title. At most `maxBars` are drawn; the
/// picture says how many more there are.
[[nodiscard]] std::string barPicture(const std::string& title, std::span<const Bar> bars);
inline constexpr std::size_t maxBars = 60;

}  // namespace et::app
