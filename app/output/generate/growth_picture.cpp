#include "app/output/generate/growth_report.h"
#include "inspector/format/quantities.h"
#include "inspector/format/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace et::output {
namespace {

using inspector::Growth;
using inspector::GrowthKind;
using inspector::GrowthRow;
using inspector::GrowthSample;
using inspector::format::SvgPicture;
using inspector::format::TextAnchor;

// In points.
constexpr double growthWidth = 960;
constexpr double growthHeight = 440;
constexpr double growthLeft = 80;
constexpr double growthTop = 44;
constexpr double growthPlotWidth = 560;
constexpr double growthPlotHeight = 340;
constexpr double legendLeft = growthLeft + growthPlotWidth + 24;

/// Limited by the number of colours; the remaining groups are small.
constexpr std::size_t mostDrawn = 7;
/// Okabe-Ito colours.
constexpr std::string_view growthStyles =
    ".s0{stroke:#0072b2}.s1{stroke:#d55e00}.s2{stroke:#009e73}.s3{stroke:#cc79a7}.s4{stroke:#e69f00}"
    ".s5{stroke:#56b4e9}.s6{stroke:#8c8c8c}"
    ".dots{fill:none;stroke-width:3;stroke-linecap:round;stroke-opacity:.45}"
    ".fit{fill:none;stroke-width:1.6}.bold{font-weight:bold}";

/// Axes: positions to the right, times upwards.
class Plot {
  public:
    explicit Plot(const Growth& of) : growth(of) {
        for (const GrowthRow& row : growth.rows) {
            std::vector<double> times;
            for (const GrowthSample& sample : row.samples) {
                first = std::min(first, sample.position);
                last = std::max(last, sample.position);
                times.push_back(sample.time);
            }
            std::ranges::sort(times);
            // Keeps a single stall from flattening the rest.
            most = std::max({most, times.empty() ? 0 : times[times.size() * 19 / 20], row.fit.last});
        }
        last = std::max(last, first + 1);
        most = most > 0 ? most * 1.1 : 1;
    }

    [[nodiscard]] double x(double position) const {
        return growthLeft + growthPlotWidth * (position - first) / (last - first);
    }
    [[nodiscard]] double y(double time) const {
        return growthTop + growthPlotHeight * (1 - std::clamp(time, 0.0, most) / most);
    }

    void drawAxes(SvgPicture& picture) const {
        constexpr int lines = 4;
        for (int i = 0; i <= lines; ++i) {
            const double time = most * i / lines;
            const double place = first + (last - first) * i / lines;
            picture.line(growthLeft, y(time), growthLeft + growthPlotWidth, y(time), "grid");
            picture.text(growthLeft - 6, y(time) + 4, inspector::format::readableTime(time, growth.unit),
                         "faint", TextAnchor::End);
            picture.text(x(place), growthTop + growthPlotHeight + 18, fmt::format("{:.0f}", place), "faint",
                         TextAnchor::Middle);
        }
        picture.text(growthLeft + growthPlotWidth / 2, growthTop + growthPlotHeight + 38,
                     growth.byPosition ? "position in the context" : "call", "faint", TextAnchor::Middle);
    }

    void drawSeries(SvgPicture& picture, const GrowthRow& row, std::size_t at) const {
        std::string dots;
        for (const GrowthSample& sample : row.samples) {
            if (sample.time <= most) {
                dots += fmt::format("M{:.1f} {:.1f}h0", x(sample.position), y(sample.time));
            }
        }
        picture.begin("series", row.group);
        picture.path(dots, fmt::format("dots s{}", at));
        if (row.fit.kind != GrowthKind::Unknown) {
            picture.path(fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", x(first), y(row.fit.at(first)), x(last),
                                     y(row.fit.at(last))),
                         fmt::format("fit s{}", at));
        }
        picture.end();
    }

  private:
    const Growth& growth;
    double first = 1e300;
    double last = 0;
    double most = 0;
};

void drawLegend(SvgPicture& picture, const Growth& growth, std::size_t drawn) {
    constexpr double lineHeight = 40;
    for (std::size_t i = 0; i < drawn; ++i) {
        const GrowthRow& row = growth.rows[i];
        const double top = growthTop + 8 + static_cast<double>(i) * lineHeight;
        picture.path(fmt::format("M{} {:.1f}h18", legendLeft, top), fmt::format("fit s{}", i));
        picture.text(legendLeft + 24, top + 4,
                     inspector::format::fittedText(row.group, growthWidth - legendLeft - 30, 11), "ink");
        std::string says = fmt::format("{} · {}", inspector::format::readablePercent(row.share),
                                       inspector::growthKindName(row.fit.kind));
        if (row.fit.exponent) {
            says += fmt::format(", exponent {:.2f}", *row.fit.exponent);
        }
        picture.text(legendLeft + 24, top + 18, says, "faint");
    }
}

}  // namespace

std::string growthPicture(const Growth& growth) {
    SvgPicture picture(growthWidth, growthHeight, growthStyles);
    const Plot plot(growth);
    picture.text(growthLeft, 24,
                 inspector::format::fittedText(growthSummary(growth), growthWidth - growthLeft - 10, 12),
                 "ink bold");
    plot.drawAxes(picture);
    const std::size_t drawn = std::min(growth.rows.size(), mostDrawn);
    for (std::size_t i = 0; i < drawn; ++i) {
        plot.drawSeries(picture, growth.rows[i], i);
    }
    drawLegend(picture, growth, drawn);
    return std::move(picture).finish();
}

}  // namespace et::output
