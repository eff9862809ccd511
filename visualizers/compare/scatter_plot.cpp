#include "visualizers/compare/scatter_plot.h"

#include "inspector/comparison/readable_times.h"
#include "visualizers/toolkit/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace et::visualizers {

namespace plot = inspector::plot;

namespace {

constexpr int scatterLetters = 36;
constexpr double scatterPoint = 3.5;
constexpr double scatterReach = 4.5;
constexpr double scatterPad = 6;
constexpr double scatterRoom = 1.2;  // margin factor beyond the extremes

using inspector::TimeVerdict;
using inspector::format::readableTime;

plot::Style verdictStyle(TimeVerdict verdict) {
    if (verdict == TimeVerdict::Slower) {
        return {.name = "slower", .fill = plot::Tone::Error};
    }
    return verdict == TimeVerdict::Faster ? plot::Style{.name = "faster", .fill = plot::Tone::Kernel}
                                          : plot::Style{.name = "same", .fill = plot::Tone::Faint};
}

}  // namespace

ScatterPlot::ScatterPlot(QWidget* parent) : PointPlot(parent) {
    setFocusPolicy(Qt::NoFocus);
    setAccessibleName(QStringLiteral("A against B"));
}

void ScatterPlot::show(const ComparisonModel& model, std::size_t method) {
    clear();
    const auto* const pair = model.comparison();
    if (pair == nullptr || method >= pair->methods.size()) {
        return;
    }
    unit = model.timeScale();
    const auto& rows = pair->methods[method].rows;
    std::size_t slower = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double a = model.inUnit(rows[i].test.medianA);
        const double b = model.inUnit(rows[i].test.medianB);
        if (a > 0 && b > 0) {  // both have a logarithm
            points.push_back({.row = i,
                              .a = a,
                              .b = b,
                              .verdict = rows[i].test.verdict,
                              .text = fmt::format("{}: A {}, B {}", inspector::readableName(rows[i].shown()),
                                                  readableTime(a, unit), readableTime(b, unit))});
            slower += rows[i].test.verdict == TimeVerdict::Slower ? 1U : 0U;
        }
    }
    if (!points.empty()) {
        times = {.least = points.front().a, .most = points.front().a};
    }
    for (const Point& each : points) {
        times.include(each.a, scatterRoom);
        times.include(each.b, scatterRoom);
    }
    setAccessibleDescription(
        QStringLiteral("%1 operators, %2 of them slower in B").arg(points.size()).arg(slower));
    update();
}

void ScatterPlot::clear() {
    points.clear();
    times = {};
    setAccessibleDescription({});
    update();
}

QSize ScatterPlot::sizeHint() const {
    const int side = fontMetrics().averageCharWidth() * scatterLetters;
    return {side, side};
}

std::optional<std::size_t> ScatterPlot::itemAt(const QPointF& at) const {
    return scene().itemAt({.x = at.x(), .y = at.y()}, scatterReach);
}

plot::Scene ScatterPlot::scene() const {
    const double line = fontMetrics().height();
    const plot::Frame frame{.area = {.x = scatterPad,
                                     .y = line + scatterPad,
                                     .width = width() - 2 * scatterPad,
                                     .height = height() - 3 * line - 2 * scatterPad},
                            .lineHeight = line};
    const plot::Box& area = frame.area;
    plot::Scene scene{.area = area};
    scene.marks.push_back({.shape = area, .style = plot::ruleStyle});
    scene.line({.x = area.x, .y = frame.bottom()}, {.x = frame.right(), .y = area.y}, plot::ruleStyle);
    scene.text({.x = area.x, .y = 0.8 * line}, "B, upwards: above the line is slower", plot::inkStyle);
    const double middle = area.x + area.width / 2;
    if (points.empty()) {
        scene.text({.x = middle, .y = area.y + area.height / 2}, "No operator occurs in both traces.",
                   plot::inkStyle, plot::TextAnchor::Middle);
        return scene;
    }
    const double below = frame.bottom() + line;
    scene.text({.x = area.x, .y = below}, readableTime(times.least, unit), plot::inkStyle);
    scene.text({.x = frame.right(), .y = below}, readableTime(times.most, unit), plot::inkStyle,
               plot::TextAnchor::End);
    scene.text({.x = middle, .y = below + line}, "A, both logarithmic", plot::inkStyle,
               plot::TextAnchor::Middle);
    for (const Point& each : points) {
        const plot::Point at = frame.onScreen({.x = times.placeOf(each.a), .y = 1 - times.placeOf(each.b)});
        scene.marks.push_back({.shape = plot::Circle{.centre = at, .radius = scatterPoint},
                               .style = verdictStyle(each.verdict)});
        scene.items.push_back({.tip = each.text, .at = at, .radius = scatterPoint});
    }
    return scene;
}

}  // namespace et::visualizers
