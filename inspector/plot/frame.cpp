#include "inspector/plot/frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace et::inspector::plot {

namespace {

constexpr double labelGap = 6;
constexpr double belowArea = 4;
constexpr double fontShare = 11.0 / 14;  // of the line height
constexpr double wholeCount = 4;         // about as many steps between the ends

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

std::string Frame::fittedEnd(std::string_view text, double width) const {
    constexpr std::string_view ellipsis = "…";
    if (textWidth(text) <= width) {
        return std::string(text);
    }
    const auto isInsideCharacter = [&] { return (static_cast<unsigned char>(text.front()) & 0xC0U) == 0x80; };
    while (!text.empty() && (isInsideCharacter() || textWidth(ellipsis) + textWidth(text) > width)) {
        text.remove_prefix(1);
    }
    return text.empty() ? std::string() : std::string(ellipsis).append(text);
}

double Frame::textWidth(std::string_view text) const {
    return format::textWidth(text, lineHeight * fontShare);
}

std::vector<Tick> valueTicks(const LinearAxis& axis, format::Measure measure, double count) {
    const double least = (axis.most - axis.least) / count;
    const double step = measure == format::Measure::Bytes ? roundByteStep(least) : roundStep(least);
    std::vector<Tick> ticks;
    for (const double value : multiples(axis.least, axis.most, step)) {
        ticks.push_back({.place = 1 - axis.placeOf(value), .label = format::readable(value, measure)});
    }
    return ticks;
}

std::vector<Tick> wholeTicks(const LinearAxis& axis) {
    const double step = std::max(roundStep((axis.most - axis.least) / wholeCount), 1.0);
    std::vector<double> numbers{axis.least};
    for (const double number : multiples(axis.least + step / 2, axis.most - step / 2, step)) {
        numbers.push_back(number);
    }
    numbers.push_back(axis.most);
    std::vector<Tick> ticks;
    for (const double number : numbers) {
        ticks.push_back({.place = axis.placeOf(number), .label = fmt::format("{:.0f}", number)});
    }
    return ticks;
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
