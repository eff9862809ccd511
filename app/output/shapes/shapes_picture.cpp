#include "app/output/shapes/shapes_info.h"
#include "inspector/format/quantities.h"
#include "inspector/plot/curve_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace et::output {
namespace {

using inspector::plot::Curve;

// In points.
constexpr double panelWidth = 560;
constexpr double panelHeight = 280;
constexpr inspector::plot::Box panelArea{.x = 86, .y = 52, .width = 430, .height = 180};

/// Fills in the samples with their fitted line, which ends where the curve stops being linear, and their
/// steps.
Curve withSamples(Curve curve, const std::vector<tasks::SizeSample>& samples, const tasks::SizeTrend& trend) {
    curve.note = samples.empty() ? "nothing was measured" : trendText(trend, samples.back().size);
    for (const tasks::SizeSample& each : samples) {
        curve.samples.push_back({.x = static_cast<double>(each.size), .y = each.value});
    }
    if (!samples.empty() && trend.linearUntil && trend.changes) {
        for (const std::int64_t end : {samples.front().size, *trend.linearUntil}) {
            curve.fit.push_back({.x = static_cast<double>(end), .y = trend.line.at(end)});
        }
    }
    for (const tasks::SizeStep& step : trend.steps) {
        curve.steps.push_back({.at = static_cast<double>(step.after), .cause = step.maker});
    }
    return curve;
}

}  // namespace

std::string shapesPicture(const tasks::ShapesResult& result) {
    inspector::plot::Scene scene;
    inspector::plot::Frame frame{.area = panelArea};
    for (const tasks::SizeCurve& each : result.curves) {
        Curve time{.title = fmt::format("time of an execution of {}", result.file), .axis = each.symbol};
        Curve memory{.title = fmt::format("memory in addition to the planned {}",
                                          inspector::format::readableBytes(each.planned)),
                     .axis = each.symbol,
                     .measure = inspector::format::Measure::Bytes};
        frame.area.y = panelArea.y;
        addCurve(scene, frame, withSamples(std::move(time), each.times, each.time));
        frame.area.y += panelHeight;
        addCurve(scene, frame, withSamples(std::move(memory), each.memory, each.space));
        frame.area.x += panelWidth;
    }
    const auto columns = static_cast<double>(std::max<std::size_t>(result.curves.size(), 1));
    return inspector::plot::svgText(scene, columns * panelWidth, 2 * panelHeight);
}

}  // namespace et::output
