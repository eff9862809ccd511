#include "app/output/lab/optimize_info.h"
#include "inspector/format/quantities.h"
#include "inspector/format/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace et::output {
namespace {

using inspector::format::SvgPicture;
using inspector::format::TextAnchor;

// In points.
constexpr double frontWidth = 560;
constexpr double frontHeight = 340;
constexpr double frontLeft = 70;
constexpr double frontTop = 40;
constexpr double frontPlotWidth = 450;
constexpr double frontPlotHeight = 240;

constexpr std::string_view frontStyles =
    ".other{fill:#888;fill-opacity:.4}.best{fill:#0072b2}.chosen{fill:#d55e00}"
    ".front{fill:none;stroke:#0072b2;stroke-width:1.4;stroke-opacity:.6}";

/// Plots points by SQNR over a cost.
class FrontPlot {
  public:
    using Cost = std::optional<double> (*)(const tasks::OptimizePoint&);
    using Label = std::string (*)(double);

    FrontPlot(const tasks::OptimizeResult& result, Cost costOf, Label labelOf, double leftEdge)
        : cost(costOf), label(labelOf), left(leftEdge + frontLeft) {
        for (const tasks::OptimizePoint& each : result.points) {
            if (cost(each)) {
                points.push_back(&each);
            }
        }
        std::ranges::stable_sort(points, {}, [&](const tasks::OptimizePoint* each) { return *cost(*each); });
        if (points.empty()) {
            return;
        }
        constexpr double margin = 0.05;
        least = *cost(*points.front());
        most = *cost(*points.back());
        const double room = std::max((most - least) * margin, most * 1e-3);
        least -= room;
        most += room;
        for (const tasks::OptimizePoint* each : points) {
            if (const auto decibels = each->decibels()) {
                lowest = std::min(lowest, *decibels);
                highest = std::max(highest, *decibels);
            }
        }
        lowest = std::min(lowest, highest) - 2;
        highest += 2;
    }

    void draw(SvgPicture& picture) const {
        if (points.empty()) {
            return;
        }
        drawAxes(picture);
        std::string line;
        for (const tasks::OptimizePoint* each : points) {
            if (each->onFront) {
                line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? "M" : "L", xOf(*each), yOf(*each));
            }
        }
        picture.path(line, "front");
        for (const std::string_view kind : {"other", "best", "chosen"}) {
            for (const tasks::OptimizePoint* each : points) {
                if (kindOf(*each) == kind) {
                    drawPoint(picture, *each);
                }
            }
        }
    }

  private:
    [[nodiscard]] static std::string_view kindOf(const tasks::OptimizePoint& point) {
        return point.chosen ? "chosen" : point.onFront ? "best" : "other";
    }
    [[nodiscard]] double xOf(const tasks::OptimizePoint& point) const {
        return left + frontPlotWidth * (*cost(point) - least) / (most - least);
    }
    /// Equal outputs are drawn at the upper edge.
    [[nodiscard]] double yOf(const tasks::OptimizePoint& point) const {
        const double decibels = point.decibels().value_or(highest);
        return frontTop + frontPlotHeight * (1 - (decibels - lowest) / (highest - lowest));
    }

    void drawAxes(SvgPicture& picture) const {
        constexpr int lines = 4;
        const double bottom = frontTop + frontPlotHeight;
        for (int i = 0; i <= lines; ++i) {
            const double share = static_cast<double>(i) / lines;
            const double y = bottom - frontPlotHeight * share;
            const double x = left + frontPlotWidth * share;
            picture.line(left, y, left + frontPlotWidth, y, "grid");
            picture.text(left - 6, y + 4, fmt::format("{:.1f}", lowest + (highest - lowest) * share), "faint",
                         TextAnchor::End);
            picture.text(x, bottom + 18, label(least + (most - least) * share), "faint", TextAnchor::Middle);
        }
        picture.text(left - 6, frontTop - 12, "SQNR (dB)", "faint", TextAnchor::End);
    }

    void drawPoint(SvgPicture& picture, const tasks::OptimizePoint& point) const {
        std::string title = fmt::format("{} sites in float, {} bytes", point.count(), point.bytes);
        if (const auto decibels = point.decibels()) {
            title += fmt::format(", {:.2f} dB", *decibels);
        }
        if (point.nanoseconds) {
            title += ", " + inspector::format::readableTime(*point.nanoseconds);
        }
        constexpr double radius = 4;
        picture.begin("point", title);
        picture.path(
            fmt::format("M{:.1f} {:.1f}a{r:.1f} {r:.1f} 0 1 0 {d:.1f} 0a{r:.1f} {r:.1f} 0 1 0 -{d:.1f} 0z",
                        xOf(point) - radius, yOf(point), fmt::arg("r", radius), fmt::arg("d", 2 * radius)),
            kindOf(point));
        picture.end();
    }

    Cost cost;
    Label label;
    double left;
    std::vector<const tasks::OptimizePoint*> points;
    double least = 0;
    double most = 1;
    double lowest = 200;
    double highest = 0;
};

std::optional<double> bytesOfPoint(const tasks::OptimizePoint& point) {
    return static_cast<double>(point.bytes);
}
std::string bytesOnAxis(double bytes) {
    return inspector::format::readableBytes(static_cast<std::uint64_t>(std::max(bytes, 0.0)));
}
std::optional<double> timeOfPoint(const tasks::OptimizePoint& point) {
    return point.nanoseconds;
}
std::string timeOnAxis(double nanoseconds) {
    return inspector::format::readableTime(nanoseconds);
}

}  // namespace

std::string optimizePicture(const tasks::OptimizeResult& result) {
    const bool isTimed = std::ranges::any_of(
        result.points, [](const tasks::OptimizePoint& each) { return each.nanoseconds.has_value(); });
    SvgPicture picture(isTimed ? 2 * frontWidth : frontWidth, frontHeight, frontStyles);
    picture.text(frontLeft, 18,
                 fmt::format("{}: {} programs; blue: Pareto front", core::printable(result.method),
                             result.points.size()),
                 "ink");
    FrontPlot(result, bytesOfPoint, bytesOnAxis, 0).draw(picture);
    if (isTimed) {
        FrontPlot(result, timeOfPoint, timeOnAxis, frontWidth).draw(picture);
    }
    return std::move(picture).finish();
}

}  // namespace et::output
