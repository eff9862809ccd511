#include "inspector/trend/trend_plot.h"

#include "inspector/format/change_text.h"
#include "inspector/trend/trend_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace et::inspector {

namespace {

using plot::Style;
using plot::Tone;

constexpr Style dotStyle{.name = "dot", .fill = Tone::Accent, .opacity = 0.55};
constexpr Style levelStyle{.name = "level", .stroke = Tone::Accent, .width = 2};
constexpr Style slowerStyle{.name = "slower", .stroke = Tone::Error, .width = 1.4, .dashed = true};
constexpr Style fasterStyle{.name = "faster", .stroke = Tone::Good, .width = 1.4, .dashed = true};
constexpr Style slowerText{.name = "slowerText", .fill = Tone::Error};
constexpr Style fasterText{.name = "fasterText", .fill = Tone::Good};

/// Adds one curve.
class TrendPass {
  public:
    TrendPass(plot::Scene& to, const plot::Frame& in, const Trend& from, const TrendCurve& of)
        : scene(to), frame(in), trend(from), curve(of), group(from.groups[of.group]) {
        std::vector<double> times;
        for (std::size_t at = 0; at < group.points.size(); ++at) {
            if (std::isfinite(timeOf(at))) {
                times.push_back(timeOf(at));
            }
        }
        if (times.empty()) {
            return;
        }
        std::ranges::sort(times);
        // A change of a few percent would be invisible on an axis that starts at 0, and single outliers would
        // flatten the rest.
        const double highest = times[times.size() - 1 - times.size() / 50];
        const double margin = std::max(0.02 * times.back(), (highest - times.front()) / 8);
        axis.least = std::max(0.0, times.front() - margin);
        axis.most = std::max(highest + margin, axis.least + 1);
    }

    void addAxes() {
        const plot::Box& area = frame.area;
        scene.text({.x = area.x, .y = area.y - 10}, frame.fitted(curve.title, area.width), plot::inkStyle);
        const auto measure = group.cycles ? format::Measure::Cycles : format::Measure::Nanoseconds;
        addGrid(scene, frame, true, valueTicks(axis, measure));
        const double below = frame.bottom() + frame.lineHeight + 4;
        scene.text({.x = area.x, .y = below}, pointLabel(group.points.front()), plot::faintStyle);
        scene.text({.x = frame.right(), .y = below}, pointLabel(group.points.back()), plot::faintStyle,
                   plot::TextAnchor::End);
    }

    void addPoints() {
        for (std::size_t at = 0; at < group.points.size(); ++at) {
            const double time = timeOf(at);
            const double radius = curve.chosen == at ? 5 : 2.5;
            const plot::Point centre = place(static_cast<double>(at) + 0.5, time);
            if (std::isfinite(time)) {
                scene.marks.push_back({.shape = plot::Circle{.centre = centre, .radius = radius},
                                       .style = dotStyle,
                                       .item = scene.items.size()});
            }
            scene.items.push_back({.kind = "point", .tip = pointText(at), .at = centre, .radius = radius});
        }
    }

    void addLevels() {
        for (const Level& level : levelsOf(trend, curve.group, curve.operation)) {
            scene.line(place(static_cast<double>(level.from), level.time),
                       place(static_cast<double>(level.to), level.time), levelStyle);
        }
    }

    void addChanges() {
        for (const TrendChange& change : trend.changes) {
            if (const LevelStep* const step = stepOf(change)) {
                addChange(change, *step);
            }
        }
    }

  private:
    [[nodiscard]] double timeOf(std::size_t at) const {
        return curve.operation ? group.operators[*curve.operation].times[at] : group.points[at].total;
    }

    /// `point`: the middle of point n is n + 0.5.
    [[nodiscard]] plot::Point place(double point, double time) const {
        const double shown = std::isfinite(time) ? std::clamp(time, axis.least, axis.most) : axis.least;
        return frame.onScreen(
            {.x = point / static_cast<double>(group.points.size()), .y = 1 - axis.placeOf(shown)});
    }

    [[nodiscard]] std::string pointText(std::size_t at) const {
        const TrendPoint& point = group.points[at];
        const std::string time =
            std::isfinite(timeOf(at)) ? trendTime(timeOf(at), group.cycles) : "did not run";
        return fmt::format("{}: {}, {}, {} measurement{}", pointLabel(point), time,
                           core::printable(point.measured), point.measurements,
                           format::plural(point.measurements));
    }

    /// Null if the change is not one of the curve.
    [[nodiscard]] const LevelStep* stepOf(const TrendChange& change) const {
        if (change.group != curve.group) {
            return nullptr;
        }
        if (!curve.operation) {
            return change.totalMoved ? &change.total : nullptr;
        }
        const auto found = std::ranges::find(change.operators, *curve.operation, &OperatorStep::index);
        return found == change.operators.end() ? nullptr : &found->step;
    }

    void addChange(const TrendChange& change, const LevelStep& step) {
        const bool isSlower = step.difference() > 0;
        const std::size_t item = scene.items.size();
        const std::string point = pointLabel(trend.pointOf(change));
        const plot::Point top = place(static_cast<double>(change.at), axis.most);
        scene.items.push_back(
            {.kind = "change", .tip = fmt::format("{}\n{}", point, stepText(step, group.cycles)), .at = top});
        scene.line(top, {.x = top.x, .y = frame.bottom()}, isSlower ? slowerStyle : fasterStyle);
        scene.marks.back().item = item;
        const auto relative = step.change();
        const bool isRight = top.x > frame.area.x + frame.area.width * 3 / 4;
        scene.text({.x = top.x + (isRight ? -5 : 5), .y = frame.area.y + frame.lineHeight},
                   fmt::format("{} since {}",
                               relative ? format::readableChange(1 + *relative) : std::string("new"), point),
                   isSlower ? slowerText : fasterText,
                   isRight ? plot::TextAnchor::End : plot::TextAnchor::Start);
        scene.marks.back().item = item;
    }

    plot::Scene& scene;
    const plot::Frame& frame;
    const Trend& trend;
    const TrendCurve& curve;
    const TrendGroup& group;
    plot::LinearAxis axis;
};

}  // namespace

void addTrend(plot::Scene& scene, const plot::Frame& frame, const Trend& trend, const TrendCurve& curve) {
    if (trend.groups[curve.group].points.empty()) {
        return;
    }
    TrendPass pass(scene, frame, trend, curve);
    pass.addAxes();
    pass.addPoints();
    pass.addLevels();
    pass.addChanges();
}

}  // namespace et::inspector
