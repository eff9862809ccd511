#include "inspector/plot/frame.h"

#include <cmath>
#include <optional>

namespace et::inspector::plot {

namespace {

constexpr double labelGap = 6;
constexpr double belowArea = 4;
constexpr double fontShare = 11.0 / 14;  // of the line height

}  // namespace

Point Frame::onScreen(Point place) const {
    return {.x = area.x + (place.x - part.x) / part.width * area.width,
            .y = area.y + (place.y - part.y) / part.height * area.height};
}

Point Frame::placeAt(Point onScreen) const {
    return {.x = part.x + (onScreen.x - area.x) / area.width * part.width,
            .y = part.y + (onScreen.y - area.y) / area.height * part.height};
}

std::string Frame::fitted(std::string_view text, double width) const {
    return format::fittedText(text, width, lineHeight * fontShare);
}

double Frame::textWidth(std::string_view text) const {
    return format::textWidth(text, lineHeight * fontShare);
}

void addGrid(Scene& scene, const Frame& frame, bool upright, std::span<const Tick> ticks) {
    constexpr double tolerance = 1;
    const Box& area = frame.area;
    std::optional<double> last;
    double lastRoom = 0;
    for (const Tick& tick : ticks) {
        const Point at = frame.onScreen({.x = tick.place, .y = tick.place});
        const double along = upright ? at.y : at.x;
        const double first = upright ? area.y : area.x;
        if (along < first - tolerance || along > (upright ? frame.bottom() : frame.right()) + tolerance) {
            continue;
        }
        const double room = upright ? frame.lineHeight : frame.textWidth(tick.label) + labelGap;
        const bool labelled = !last || std::abs(along - *last) >= (room + lastRoom) / 2;
        if (upright) {
            scene.line({.x = area.x, .y = along}, {.x = frame.right(), .y = along}, gridStyle);
        } else {
            scene.line({.x = along, .y = area.y}, {.x = along, .y = frame.bottom()}, gridStyle);
        }
        if (!labelled) {
            continue;
        }
        last = along;
        lastRoom = room;
        if (upright) {
            scene.text({.x = area.x - labelGap, .y = along + frame.toBaseline()}, tick.label, faintStyle,
                       TextAnchor::End);
        } else {
            scene.text({.x = along, .y = frame.bottom() + frame.lineHeight + belowArea}, tick.label,
                       faintStyle, TextAnchor::Middle);
        }
    }
}

}  // namespace et::inspector::plot
