#include "inspector/plot/pareto_plot.h"

#include "inspector/format/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

namespace et::inspector::plot {

namespace {

constexpr double costRoom = 0.08;    // margin on both sides, relative to the span
constexpr double errorRoom = 1.5;    // margin factor beyond the extremes
constexpr double leastShown = 1e-5;  // 100 dB: smaller differences are float rounding
constexpr double exactPlace = 0.94;  // of the height: position of programs without an error
constexpr double errorShare = 0.86;  // of the height: length of the axis
constexpr double paretoGap = 6;
constexpr double bestRadius = 4;

/// Filled: on the front; ring: dominated; diamond: predicted. The shapes are distinguishable without colour.
Mark signOf(const ParetoPoint& point, Point at) {
    if (!point.candidate) {
        constexpr double half = 6;
        return {.shape = Path{.points = {{.x = at.x, .y = at.y - half},
                                         {.x = at.x + half, .y = at.y},
                                         {.x = at.x, .y = at.y + half},
                                         {.x = at.x - half, .y = at.y}},
                              .closed = true},
                .style = {.name = "predicted", .fill = Tone::Page, .stroke = Tone::Ink, .width = 1.5}};
    }
    if (point.chosen || point.best) {
        const Tone tone = point.chosen ? Tone::Error : Tone::Accent;
        return {.shape = Circle{.centre = at, .radius = bestRadius},
                .style = {.name = point.chosen ? "chosen" : "best", .fill = tone, .stroke = tone}};
    }
    return {.shape = Circle{.centre = at, .radius = 3},
            .style = {.name = "other", .stroke = Tone::Faint, .width = 1.5}};
}

}  // namespace

ParetoPlot::ParetoPlot(std::vector<ParetoPoint> points, ParetoCost cost, ParetoError error)
    : shown(std::move(points)), costUnit(cost), errorUnit(error) {
    std::ranges::stable_sort(shown, {}, [](const ParetoPoint& point) {
        return std::pair(!point.candidate.has_value(), point.cost);
    });
    double least = std::numeric_limits<double>::infinity();
    for (ParetoPoint& point : shown) {
        point.best = point.candidate && point.noise < least;
        least = std::min(least, point.noise);
    }
    findSpan();
}

void ParetoPlot::findSpan() {
    if (shown.empty()) {
        return;
    }
    const auto [low, high] = std::ranges::minmax(shown, {}, &ParetoPoint::cost);
    const double spare = std::max((high.cost - low.cost) * costRoom, high.cost * costRoom / 4);
    leastCost = std::max(low.cost - spare, 0.0);
    mostCost = std::max(high.cost + spare, leastCost + 1e-9);
    std::vector<double> logarithmic;
    for (const ParetoPoint& point : shown) {
        if (const double error = std::sqrt(point.noise); error > leastShown) {
            logarithmic.push_back(error);
        }
    }
    if (!logarithmic.empty()) {
        const auto [least, most] = std::ranges::minmax(logarithmic);
        errors = {.least = least / errorRoom, .most = most * errorRoom};
    }
}

std::optional<std::size_t> ParetoPlot::pointOf(std::size_t candidate) const {
    const auto found = std::ranges::find(shown, std::optional(candidate), &ParetoPoint::candidate);
    return found == shown.end() ? std::nullopt
                                : std::optional(static_cast<std::size_t>(found - shown.begin()));
}

double ParetoPlot::placeOfCost(double cost) const {
    return (cost - leastCost) / (mostCost - leastCost);
}

double ParetoPlot::placeOfError(double error) const {
    return error > leastShown ? errorShare * (1 - errors.placeOf(error)) : exactPlace;
}

std::string ParetoPlot::costText(double cost) const {
    return costUnit == ParetoCost::Bytes
               ? format::readableBytes(static_cast<std::uint64_t>(std::max(cost, 0.0)))
               : format::readableTime(cost);
}

std::string ParetoPlot::errorText(double error) const {
    return errorUnit == ParetoError::Percent ? fmt::format("{:.3g} %", 100 * error)
                                             : fmt::format("{:.3g} dB", -20 * std::log10(error));
}

std::vector<Tick> ParetoPlot::costTicks(const Frame& frame) const {
    const double from = leastCost + frame.part.x * (mostCost - leastCost);
    const double to = from + frame.part.width * (mostCost - leastCost);
    const double count = std::floor(frame.area.width / (frame.textWidth(costText(to)) + 4 * paretoGap));
    std::vector<Tick> ticks;
    const double least = (to - from) / std::max(count, 1.0);
    const double step = costUnit == ParetoCost::Bytes ? roundByteStep(least) : roundStep(least);
    for (const double cost : multiples(from, to, step)) {
        ticks.push_back({.place = placeOfCost(cost), .label = costText(cost)});
    }
    return ticks;
}

std::vector<Tick> ParetoPlot::errorTicks(const Frame& frame) const {
    const auto errorAt = [&](double place) {
        return errors.valueAt(1 - std::clamp(place, 0.0, errorShare) / errorShare);
    };
    std::vector<Tick> ticks;
    if (std::ranges::any_of(shown,
                            [](const ParetoPoint& point) { return std::sqrt(point.noise) <= leastShown; })) {
        ticks.push_back(
            {.place = exactPlace, .label = errorUnit == ParetoError::Percent ? "< 0.001 %" : "> 100 dB"});
    }
    for (const double error : logTicks(errorAt(frame.part.y + frame.part.height), errorAt(frame.part.y))) {
        ticks.push_back({.place = placeOfError(error), .label = errorText(error)});
    }
    return ticks;
}

void ParetoPlot::addAxes(Scene& scene, const Frame& frame) const {
    addGrid(scene, frame, false, costTicks(frame));
    addGrid(scene, frame, true, errorTicks(frame));
    scene.text({.x = frame.right(), .y = frame.bottom() + 2 * frame.lineHeight + paretoGap},
               costUnit == ParetoCost::Bytes ? "program size in bytes" : "time per run (median)", faintStyle,
               TextAnchor::End);
}

void ParetoPlot::addLegend(Scene& scene, const Frame& frame) const {
    const Point middle{.x = frame.area.x + 2 * bestRadius, .y = frame.area.y - frame.lineHeight / 2 - 3};
    const double baseline = middle.y + frame.toBaseline();
    double x = middle.x;
    const auto entry = [&](const ParetoPoint& like, std::string_view text) {
        const double width = frame.textWidth(text);
        if (x + width <= frame.right()) {
            scene.marks.push_back(signOf(like, {.x = x, .y = middle.y}));
            scene.text({.x = x + 2 * paretoGap, .y = baseline}, std::string(text), inkStyle);
            x += width + 5 * paretoGap;
        }
    };
    entry({.candidate = 0, .best = true}, "least error at its cost");
    entry({.candidate = 0}, "others");
    if (std::ranges::contains(shown, true, &ParetoPoint::chosen)) {
        entry({.candidate = 0, .chosen = true}, "chosen");
    }
    if (!shown.empty() && !shown.back().candidate) {
        entry({}, "predicted");
    }
    scene.text({.x = frame.area.x - paretoGap, .y = baseline},
               errorUnit == ParetoError::Percent ? "error" : "SQNR", faintStyle, TextAnchor::End);
}

void ParetoPlot::addPoints(Scene& scene, const Frame& frame) const {
    const std::size_t first = scene.items.size();
    Path front;
    for (const ParetoPoint& point : shown) {
        const Point at =
            frame.onScreen({.x = placeOfCost(point.cost), .y = placeOfError(std::sqrt(point.noise))});
        scene.items.push_back({.kind = "point", .tip = point.tip, .at = at, .radius = bestRadius});
        if (point.best) {
            // A staircase, because there is nothing between the points.
            if (!front.points.empty()) {
                front.points.push_back({.x = at.x, .y = front.points.back().y});
            }
            front.points.push_back(at);
        }
    }
    scene.marks.push_back({.shape = std::move(front),
                           .style = {.name = "front", .stroke = Tone::Accent, .width = 1.5, .opacity = 0.5},
                           .clipped = true});
    for (const int rank : {0, 1, 2}) {
        for (std::size_t i = 0; i < shown.size(); ++i) {
            if (rank == (shown[i].chosen ? 2 : shown[i].best ? 1 : 0)) {
                Mark& mark = scene.marks.emplace_back(signOf(shown[i], scene.items[first + i].at));
                mark.clipped = true;
                mark.item = first + i;
            }
        }
    }
}

void ParetoPlot::addTo(Scene& scene, const Frame& frame) const {
    scene.area = frame.area;
    addAxes(scene, frame);
    addLegend(scene, frame);
    addPoints(scene, frame);
}

}  // namespace et::inspector::plot
