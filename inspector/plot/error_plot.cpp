#include "inspector/plot/error_plot.h"

#include "inspector/plot/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

namespace et::inspector::plot {

namespace {

constexpr double equalBand = 0.08;  // fraction of the height below the first number
constexpr double errorGap = 6;
constexpr double rowRoom = 60;  // between row numbers
constexpr double largestMark = 4;
constexpr double smallestMark = 1.5;
constexpr double ringGap = 2.5;
constexpr Style ringStyle{.name = "diverging", .stroke = Tone::Error, .width = 2};
constexpr Style divergenceStyle{.name = "divergence", .stroke = Tone::Error, .dashed = true};
constexpr Style divergenceTextStyle{.name = "divergence-text", .fill = Tone::Error};
constexpr Style divergenceGroundStyle{.name = "divergence-ground", .fill = Tone::Page, .opacity = 0.8};

Style stemStyle(Tone tone, bool full, double width) {
    const std::string_view name = tone == Tone::Own ? (full ? "stem own" : "stem pale own")
                                                    : (full ? "stem inherited" : "stem pale inherited");
    return {.name = name, .stroke = tone, .width = width, .opacity = full ? 0.5 : 0.18};
}

Style signStyle(Tone tone, bool full) {
    const std::string_view name = tone == Tone::Own ? (full ? "sign own" : "sign pale own")
                                                    : (full ? "sign inherited" : "sign pale inherited");
    return {.name = name, .fill = tone, .opacity = full ? 1 : 0.18};
}

/// "2e-4".
std::string exponentText(double number) {
    const double power = std::floor(std::log10(number) + 1e-9);
    return fmt::format("{:.0f}e{:.0f}", number / std::pow(10, power), power);
}

}  // namespace

ErrorPlot::ErrorPlot(std::vector<ErrorSeries> series, ErrorScale axis, std::vector<ErrorRow> rows)
    : shown(std::move(series)), scale(axis), operators(std::move(rows)) {
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    for (const ErrorRow& row : operators) {
        for (const std::optional<double>& number : row.numbers) {
            if (const double level = number ? levelOf(*number) : least; std::isfinite(level)) {
                least = std::min(least, level);
                most = std::max(most, level);
            }
        }
    }
    if (least <= most) {
        const double grid = scale == ErrorScale::Decibels ? 10 : 1;
        low = std::floor(least / grid) * grid;
        high = std::max(std::ceil(most / grid) * grid, low + grid);
    }
}

void ErrorPlot::setFirstDivergence(std::size_t row, const std::string& name) {
    divergence = row;
    divergenceText = "first divergence: " + name;
}

/// Returns negative infinity for equal tensors.
double ErrorPlot::levelOf(double number) const {
    return scale == ErrorScale::Decibels ? -number : std::log10(std::abs(number));
}

double ErrorPlot::placeOfLevel(double level) const {
    return (1 - equalBand) * (1 - std::clamp((level - low) / (high - low), 0.0, 1.0));
}

std::optional<Point> ErrorPlot::placeOf(std::size_t row, std::size_t series) const {
    if (row >= operators.size() || series >= operators[row].numbers.size()) {
        return std::nullopt;
    }
    const std::optional<double>& number = operators[row].numbers[series];
    if (!number || std::isnan(*number)) {
        return std::nullopt;
    }
    // Next to each other, so that none is hidden.
    const double share = (static_cast<double>(series) + 1) / (static_cast<double>(shown.size()) + 1);
    const double level = levelOf(*number);
    return Point{.x = (static_cast<double>(row) + share) / static_cast<double>(operators.size()),
                 .y = level == -std::numeric_limits<double>::infinity() ? 1 : placeOfLevel(level)};
}

std::vector<Tick> ErrorPlot::ticks() const {
    constexpr double numbersWanted = 4;
    constexpr double margin = 1.001;  // powers of ten are not exact
    std::vector<Tick> all;
    if (scale == ErrorScale::Decibels) {
        all.push_back({.place = 1, .label = "∞"});
        for (const double number : multiples(-high, -low, roundStep((high - low) / numbersWanted))) {
            all.push_back({.place = placeOfLevel(-number), .label = fmt::format("{:g}", number)});
        }
    } else {
        all.push_back({.place = 1, .label = "0"});
        for (const double number : logTicks(std::pow(10, low) / margin, std::pow(10, high) * margin)) {
            all.push_back({.place = placeOfLevel(levelOf(number)), .label = exponentText(number)});
        }
    }
    return all;
}

/// Width of a row in the picture.
double ErrorPlot::pitchIn(const Frame& frame) const {
    return frame.area.width / frame.part.width / static_cast<double>(operators.size());
}

void ErrorPlot::addAxes(Scene& scene, const Frame& frame) const {
    addGrid(scene, frame, true, ticks());
    const auto count = static_cast<double>(operators.size());
    const double first = std::floor(frame.part.x * count);
    const double last = std::min((frame.part.x + frame.part.width) * count, count - 1);
    std::vector<Tick> numbers;
    for (const double row : multiples(first, last, roundStep(std::max(rowRoom / pitchIn(frame), 1.0)))) {
        numbers.push_back({.place = (row + 0.5) / count, .label = fmt::format("{:.0f}", row)});
    }
    addGrid(scene, frame, false, numbers);
}

void ErrorPlot::addDivergence(Scene& scene, const Frame& frame) const {
    if (!divergence) {
        return;
    }
    const double place = (static_cast<double>(*divergence) + 0.5) / static_cast<double>(operators.size());
    const double x = frame.onScreen({.x = place}).x;
    if (x < frame.area.x || x > frame.right()) {
        return;
    }
    scene.line({.x = x, .y = frame.area.y}, {.x = x, .y = frame.bottom()}, divergenceStyle);
    const double width = frame.textWidth(divergenceText);
    const bool isRight = x + errorGap + width <= frame.right();
    const double left = isRight ? x + errorGap : std::max(x - errorGap - width, frame.area.x);
    scene.marks.push_back(
        {.shape = Box{.x = left, .y = frame.area.y, .width = width, .height = frame.lineHeight},
         .style = divergenceGroundStyle});
    scene.text({.x = left, .y = frame.area.y + frame.lineHeight / 2 + frame.toBaseline()}, divergenceText,
               divergenceTextStyle);
}

void ErrorPlot::addStem(Scene& scene, const Frame& frame, std::size_t row, std::size_t series,
                        bool full) const {
    if (const auto place = placeOf(row, series)) {
        const Point at = frame.onScreen(*place);
        const double width = std::clamp(pitchIn(frame) / 6, 1.0, 3.0);
        scene.line({.x = at.x, .y = frame.bottom()}, at, stemStyle(shown[series].tone, full, width), true);
    }
}

void ErrorPlot::addRow(Scene& scene, const Frame& frame, std::size_t row, bool full) const {
    const ErrorRow& of = operators[row];
    const double radius = std::clamp(pitchIn(frame) / 3, smallestMark, largestMark);
    const std::size_t item = scene.items.size();
    const auto add = [&](Shape shape, const Style& style) {
        scene.marks.push_back({.shape = std::move(shape), .style = style, .clipped = true, .item = item});
    };
    std::optional<Point> last;
    for (std::size_t series = 0; series < shown.size(); ++series) {
        const auto place = placeOf(row, series);
        if (!place) {
            continue;
        }
        last = frame.onScreen(*place);
        const Style style = signStyle(shown[series].tone, full);
        if (of.isCall) {
            add(Box{.x = last->x - radius, .y = last->y - radius, .width = 2 * radius, .height = 2 * radius},
                style);
        } else {
            add(Circle{.centre = *last, .radius = radius}, style);
        }
        if (of.diverges && full && series + 1 == shown.size()) {
            add(Circle{.centre = *last, .radius = radius + ringGap}, ringStyle);
        }
    }
    if (last) {
        scene.items.push_back({.kind = "operator", .tip = of.tip, .at = *last, .radius = radius});
    }
}

void ErrorPlot::addLegend(Scene& scene, const Frame& frame) const {
    const double middle = frame.area.y - frame.lineHeight / 2 - 3;
    const double baseline = middle + frame.toBaseline();
    double x = frame.area.x;
    const auto entry = [&](double radius, const Style& style, const std::string& text) {
        scene.marks.push_back(
            {.shape = Circle{.centre = {.x = x + largestMark, .y = middle}, .radius = radius},
             .style = style});
        scene.text({.x = x + 3 * largestMark, .y = baseline}, text, inkStyle);
        x += 3 * largestMark + frame.textWidth(text) + 3 * errorGap;
    };
    for (const ErrorSeries& series : shown) {
        entry(largestMark, signStyle(series.tone, true), series.name);
    }
    if (std::ranges::contains(operators, true, &ErrorRow::diverges)) {
        entry(largestMark, ringStyle, "diverges by its own error");
    }
    constexpr std::string_view order = "operators in execution order; higher is worse";
    if (x + frame.textWidth(order) <= frame.right()) {
        scene.text({.x = frame.right(), .y = baseline}, std::string(order), faintStyle, TextAnchor::End);
    }
}

void ErrorPlot::addTo(Scene& scene, const Frame& frame, const std::vector<bool>& full) const {
    scene.area = frame.area;
    if (operators.empty()) {
        return;
    }
    addAxes(scene, frame);
    addDivergence(scene, frame);
    const auto count = static_cast<double>(operators.size());
    const auto first = static_cast<std::size_t>(std::max(frame.part.x * count, 0.0));
    const auto end = std::min(static_cast<std::size_t>(std::ceil((frame.part.x + frame.part.width) * count)),
                              operators.size());
    const auto isFull = [&](std::size_t row) { return full.empty() || full[row]; };
    for (std::size_t series = 0; series < shown.size(); ++series) {
        for (std::size_t row = first; row < end; ++row) {
            addStem(scene, frame, row, series, isFull(row));
        }
    }
    for (std::size_t row = first; row < end; ++row) {
        addRow(scene, frame, row, isFull(row));
    }
    addLegend(scene, frame);
}

}  // namespace et::inspector::plot
