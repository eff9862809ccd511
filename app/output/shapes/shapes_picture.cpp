#include "app/output/shapes/shapes_info.h"
#include "inspector/format/quantities.h"
#include "inspector/format/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace et::output {
namespace {

using inspector::format::SvgPicture;
using inspector::format::TextAnchor;

// In points.
constexpr double panelWidth = 560;
constexpr double panelHeight = 280;
constexpr double panelLeft = 86;
constexpr double panelTop = 52;
constexpr double plotWidth = 430;
constexpr double plotHeight = 180;

constexpr std::string_view shapeStyles =
    ".dots{fill:none;stroke:#0072b2;stroke-width:5;stroke-linecap:round}"
    ".curve{fill:none;stroke:#0072b2;stroke-width:1.2;stroke-opacity:.6}"
    ".fit{fill:none;stroke:#d55e00;stroke-width:1.6;stroke-dasharray:5 3}"
    ".step{fill:none;stroke:#cc79a7;stroke-width:1.2;stroke-dasharray:2 2}.bold{font-weight:bold}";

/// One curve with its fitted line and its steps.
struct Panel {
    std::string title;
    std::string_view axis;  ///< name of the size symbol
    const std::vector<tasks::SizeSample>& samples;
    const tasks::SizeTrend& trend;
    std::string (*readable)(double);
};

class PanelPlot {
  public:
    PanelPlot(const Panel& what, double leftEdge, double topEdge)
        : panel(what), left(leftEdge + panelLeft), top(topEdge + panelTop) {
        if (!panel.samples.empty()) {
            first = static_cast<double>(panel.samples.front().size);
            last = std::max(static_cast<double>(panel.samples.back().size), first + 1);
            constexpr double leastAxis = 4;  // bytes or nanoseconds; keeps the quarters of the axis distinct
            most = std::max(leastAxis,
                            std::ranges::max(panel.samples, {}, &tasks::SizeSample::value).value * 1.1);
        }
    }

    void draw(SvgPicture& picture) const {
        picture.text(left, top - 26, inspector::format::fittedText(panel.title, panelWidth - panelLeft, 12),
                     "ink bold");
        picture.text(left, top - 10,
                     inspector::format::fittedText(panel.samples.empty()
                                                       ? "nothing was measured"
                                                       : trendText(panel.trend, panel.samples.back().size),
                                                   panelWidth - panelLeft, 12),
                     "faint");
        drawAxes(picture);
        drawLine(picture);
        drawSteps(picture);
        std::string dots;
        std::string curve;
        for (const tasks::SizeSample& each : panel.samples) {
            const double x = xOf(static_cast<double>(each.size));
            dots += fmt::format("M{:.1f} {:.1f}h.1", x, yOf(each.value));
            curve += fmt::format("{}{:.1f} {:.1f}", curve.empty() ? "M" : "L", x, yOf(each.value));
        }
        picture.path(curve, "curve");
        picture.path(dots, "dots");
    }

  private:
    [[nodiscard]] double xOf(double size) const { return left + plotWidth * (size - first) / (last - first); }
    [[nodiscard]] double yOf(double value) const {
        return top + plotHeight * (1 - std::clamp(value, 0.0, most) / most);
    }

    void drawAxes(SvgPicture& picture) const {
        constexpr int lines = 4;
        for (int i = 0; i <= lines; ++i) {
            const double value = most * i / lines;
            const double size = first + (last - first) * i / lines;
            picture.line(left, yOf(value), left + plotWidth, yOf(value), "grid");
            picture.text(left - 6, yOf(value) + 4, panel.readable(value), "faint", TextAnchor::End);
            picture.text(xOf(size), top + plotHeight + 18, fmt::format("{:.0f}", size), "faint",
                         TextAnchor::Middle);
        }
        picture.text(left + plotWidth / 2, top + plotHeight + 36, panel.axis, "faint", TextAnchor::Middle);
    }

    /// The line ends where the curve stops being linear.
    void drawLine(SvgPicture& picture) const {
        if (!panel.trend.linearUntil || !panel.trend.changes) {
            return;
        }
        const auto from = static_cast<std::int64_t>(first);
        picture.begin("series", "linear fit");
        picture.path(fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", xOf(first), yOf(panel.trend.line.at(from)),
                                 xOf(static_cast<double>(*panel.trend.linearUntil)),
                                 yOf(panel.trend.line.at(*panel.trend.linearUntil))),
                     "fit");
        picture.end();
    }

    void drawSteps(SvgPicture& picture) const {
        for (const tasks::SizeStep& step : panel.trend.steps) {
            const double x = xOf(static_cast<double>(step.after));
            picture.begin("series", step.maker);
            picture.path(fmt::format("M{:.1f} {:.1f}V{:.1f}", x, top, top + plotHeight), "step");
            picture.text(x - 4, top + 12, inspector::format::fittedText(step.maker, x - left - 8, 11),
                         "faint", TextAnchor::End);
            picture.end();
        }
    }

    const Panel& panel;
    double left;
    double top;
    double first = 0;
    double last = 1;
    double most = 1;
};

std::string timeLabel(double nanoseconds) {
    return inspector::format::readableTime(nanoseconds);
}
std::string bytesLabel(double bytes) {
    return inspector::format::readableBytes(static_cast<std::uint64_t>(bytes));
}

}  // namespace

std::string shapesPicture(const tasks::ShapesResult& result) {
    const auto columns = static_cast<double>(std::max<std::size_t>(result.curves.size(), 1));
    SvgPicture picture(columns * panelWidth, 2 * panelHeight, shapeStyles);
    double left = 0;
    for (const tasks::SizeCurve& each : result.curves) {
        const Panel time{fmt::format("time of an execution of {}", result.file), each.symbol, each.times,
                         each.time, timeLabel};
        const Panel memory{fmt::format("memory in addition to the planned {}",
                                       inspector::format::readableBytes(each.planned)),
                           each.symbol, each.memory, each.space, bytesLabel};
        PanelPlot(time, left, 0).draw(picture);
        PanelPlot(memory, left, panelHeight).draw(picture);
        left += panelWidth;
    }
    return std::move(picture).finish();
}

}  // namespace et::output
