#pragma once

#include "inspector/format/quantities.h"
#include "inspector/plot/axis.h"
#include "inspector/plot/scene.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector::plot {

/// Maps places in a plot to a picture. Places are fractions (0 to 1) of the whole plot; y is 0 at the top.
struct Frame {
    Box area{};                                         ///< between the axes
    Box part{.x = 0, .y = 0, .width = 1, .height = 1};  ///< visible part of the plot
    double lineHeight = 14;                             ///< of text

    bool operator==(const Frame&) const = default;

    [[nodiscard]] Point onScreen(Point place) const;
    [[nodiscard]] Point placeAt(Point onScreen) const;
    [[nodiscard]] double right() const { return area.x + area.width; }
    [[nodiscard]] double bottom() const { return area.y + area.height; }
    /// Distance from the middle of a line of text down to its baseline.
    [[nodiscard]] double toBaseline() const { return lineHeight * 2 / 7; }
    /// A text, shortened to a width.
    [[nodiscard]] std::string fitted(std::string_view text, double width) const;
    /// The same, but shortened at the start.
    [[nodiscard]] std::string fittedEnd(std::string_view text, double width) const;
    /// Width of a text, as in SVG.
    [[nodiscard]] double textWidth(std::string_view text) const;
};

/// A grid line and its label.
struct Tick {
    double place = 0;
    std::string label{};
};

/// About `count` round numbers of a vertical axis, which points up.
[[nodiscard]] std::vector<Tick> valueTicks(const LinearAxis& axis, format::Measure measure, double count = 4);
/// Round whole numbers of a horizontal axis, and its ends.
[[nodiscard]] std::vector<Tick> wholeTicks(const LinearAxis& axis);

/// Adds grid lines in the visible part, with labels to the left of the area (`upright`) or below it. Labels
/// that would touch the previous one are omitted.
void addGrid(Scene& scene, const Frame& frame, bool upright, std::span<const Tick> ticks);

}  // namespace et::inspector::plot
