#include "app/output/trend/trend_page.h"
#include "inspector/format/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace et::output {
namespace {

using inspector::Trend;
using inspector::TrendChange;
using inspector::TrendGroup;
using inspector::TrendPoint;
using inspector::format::SvgPicture;
using inspector::format::TextAnchor;

// In points.
constexpr double trendWidth = 960;
constexpr double trendLeft = 90;
constexpr double trendPlotWidth = trendWidth - trendLeft - 30;
constexpr double trendPlotHeight = 120;
constexpr double trendGroupHeight = trendPlotHeight + 64;
constexpr double trendTop = 40;

/// Okabe-Ito colours.
constexpr std::string_view trendStyles =
    ".dot{fill:#0072b2;fill-opacity:.55}.level{stroke:#0072b2;stroke-width:2;fill:none}"
    ".slower{stroke:#d55e00;stroke-width:1.4}.faster{stroke:#009e73;stroke-width:1.4}"
    ".slowerText{fill:#d55e00}.fasterText{fill:#009e73}.bold{font-weight:bold}"
    ".slowerText,.fasterText{font-size:11px}";

/// Plot of one group: points to the right, times upwards from just below the minimum.
class GroupPlot {
  public:
    GroupPlot(const Trend& of, std::size_t number, double y)
        : trend(of), group(of.groups[number]), index(number), top(y) {
        std::vector<double> times;
        std::ranges::transform(group.points, std::back_inserter(times), &TrendPoint::total);
        if (times.empty()) {
            return;
        }
        std::ranges::sort(times);
        // Keeps single outliers from flattening the rest.
        const std::size_t rest = times.size() / 50;
        const double margin = std::max(0.02 * times.back(), (times[times.size() - 1 - rest] - times[0]) / 8);
        low = std::max(0.0, times.front() - margin);
        high = std::max(times[times.size() - 1 - rest] + margin, low + 1);
    }

    void draw(SvgPicture& picture) const {
        picture.text(trendLeft, top - 8, inspector::format::fittedText(title(), trendPlotWidth, 12),
                     "ink bold");
        drawAxes(picture);
        for (std::size_t at = 0; at < group.points.size(); ++at) {
            const TrendPoint& point = group.points[at];
            picture.begin("point",
                          fmt::format("{}\n{}", pointLabel(point), trendTime(point.total, group.cycles)));
            picture.path(fmt::format("M{:.1f} {:.1f}m-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0", x(at),
                                     y(point.total)),
                         "dot");
            picture.end();
        }
        for (const inspector::Level& level : levelsOf(trend, index)) {
            picture.path(fmt::format("M{:.1f} {:.1f}H{:.1f}", x(level.from) - step() / 2, y(level.time),
                                     x(level.to - 1) + step() / 2),
                         "level");
        }
        for (const TrendChange& change : trend.changes) {
            if (change.group == index && change.totalMoved) {
                drawChange(picture, change);
            }
        }
    }

  private:
    [[nodiscard]] double step() const { return trendPlotWidth / static_cast<double>(group.points.size()); }
    [[nodiscard]] double x(std::size_t at) const {
        return trendLeft + step() * (static_cast<double>(at) + 0.5);
    }
    [[nodiscard]] double y(double time) const {
        return top + trendPlotHeight * (1 - (std::clamp(time, low, high) - low) / (high - low));
    }
    [[nodiscard]] std::string title() const {
        const auto levels = levelsOf(trend, index);
        return fmt::format("{} · {}", groupLabel(trend, index), trendTime(levels.back().time, group.cycles));
    }

    void drawAxes(SvgPicture& picture) const {
        constexpr int lines = 2;
        for (int i = 0; i <= lines; ++i) {
            const double time = low + (high - low) * i / lines;
            picture.line(trendLeft, y(time), trendLeft + trendPlotWidth, y(time), "grid");
            picture.text(trendLeft - 6, y(time) + 4, trendTime(time, group.cycles), "faint", TextAnchor::End);
        }
        const double below = top + trendPlotHeight + 16;
        picture.text(trendLeft, below, pointLabel(group.points.front()), "faint");
        picture.text(trendLeft + trendPlotWidth, below, pointLabel(group.points.back()), "faint",
                     TextAnchor::End);
    }

    void drawChange(SvgPicture& picture, const TrendChange& change) const {
        const bool isSlower = change.total.difference() > 0;
        const double place = x(change.at) - step() / 2;
        picture.begin("change", fmt::format("{}\n{}", pointLabel(trend.pointOf(change)),
                                            stepText(change.total, group.cycles)));
        picture.line(place, top, place, top + trendPlotHeight, isSlower ? "slower" : "faster");
        const bool isRight = place > trendLeft + trendPlotWidth * 3 / 4;
        picture.text(place + (isRight ? -5 : 5), top + 12,
                     fmt::format("{:+.1f} % since {}", 100 * change.total.change().value_or(0),
                                 pointLabel(trend.pointOf(change))),
                     isSlower ? "slowerText" : "fasterText", isRight ? TextAnchor::End : TextAnchor::Start);
        picture.end();
    }

    const Trend& trend;
    const TrendGroup& group;
    std::size_t index;
    double top;
    double low = 0;
    double high = 0;
};

}  // namespace

std::string trendPicture(const Trend& trend) {
    SvgPicture picture(trendWidth, trendTop + trendGroupHeight * static_cast<double>(trend.groups.size()),
                       trendStyles);
    picture.text(trendLeft, 18, inspector::format::fittedText(trend.model, trendPlotWidth, 12), "ink bold");
    for (std::size_t i = 0; i < trend.groups.size(); ++i) {
        GroupPlot(trend, i, trendTop + 12 + trendGroupHeight * static_cast<double>(i)).draw(picture);
    }
    return std::move(picture).finish();
}

}  // namespace et::output
