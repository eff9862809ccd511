#include "app/output/generate/growth_report.h"
#include "inspector/plot/frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace et::output {
namespace {

using inspector::Growth;
using inspector::GrowthKind;
using inspector::GrowthRow;
using inspector::GrowthSample;
using inspector::plot::Frame;
using inspector::plot::Scene;
using inspector::plot::Tone;

// In points.
constexpr double growthWidth = 960;
constexpr double growthHeight = 440;
constexpr Frame growthFrame{.area = {.x = 80, .y = 44, .width = 560, .height = 340}};
constexpr double legendGap = 24;
constexpr double entryHeight = 40;  // of the legend

/// Limited by the number of colours; the remaining groups are small.
constexpr std::size_t mostDrawn = 7;
struct Series {
    std::string_view dots;  ///< style names
    std::string_view fit;
    inspector::format::Rgb colour;
};
/// Okabe-Ito colours.
constexpr std::array<Series, mostDrawn> seriesTable{{{"dots s0", "fit s0", 0x0072b2},
                                                     {"dots s1", "fit s1", 0xd55e00},
                                                     {"dots s2", "fit s2", 0x009e73},
                                                     {"dots s3", "fit s3", 0xcc79a7},
                                                     {"dots s4", "fit s4", 0xe69f00},
                                                     {"dots s5", "fit s5", 0x56b4e9},
                                                     {"dots s6", "fit s6", 0x8c8c8c}}};

/// Adds the times of the largest groups: positions to the right, times upwards.
class GrowthPass {
  public:
    GrowthPass(Scene& to, const Growth& of) : scene(to), growth(of) {
        positions.least = 1e300;
        positions.most = 0;
        times.most = 0;
        for (const GrowthRow& row : growth.rows) {
            std::vector<double> sorted;
            for (const GrowthSample& sample : row.samples) {
                positions.least = std::min(positions.least, sample.position);
                positions.most = std::max(positions.most, sample.position);
                sorted.push_back(sample.time);
            }
            std::ranges::sort(sorted);
            // Keeps a single stall from flattening the rest.
            times.most =
                std::max({times.most, sorted.empty() ? 0 : sorted[sorted.size() * 19 / 20], row.fit.last});
        }
        positions.least = std::min(positions.least, positions.most);
        positions.most = std::max(positions.most, positions.least + 1);
        times.most = times.most > 0 ? times.most * 1.1 : 1;
    }

    void addAxes() {
        addGrid(scene, growthFrame, true, valueTicks(times, inspector::format::measureOf(growth.unit)));
        addGrid(scene, growthFrame, false, wholeTicks(positions));
        scene.text({.x = growthFrame.area.x + growthFrame.area.width / 2, .y = growthFrame.bottom() + 38},
                   growth.byPosition ? "position in the context" : "call", inspector::plot::faintStyle,
                   inspector::plot::TextAnchor::Middle);
    }

    void addSeries(std::size_t number) {
        const GrowthRow& row = growth.rows[number];
        const Series& series = seriesTable[number];
        inspector::plot::Dots dots;
        for (const GrowthSample& sample : row.samples) {
            if (sample.time <= times.most) {
                dots.centres.push_back(at(sample.position, sample.time));
            }
        }
        scene.marks.push_back({.shape = std::move(dots),
                               .style = {.name = series.dots,
                                         .stroke = Tone::Fixed,
                                         .width = 3,
                                         .opacity = 0.45,
                                         .fixed = series.colour},
                               .item = scene.items.size()});
        const inspector::plot::Style fit{
            .name = series.fit, .stroke = Tone::Fixed, .width = 1.6, .fixed = series.colour};
        if (row.fit.kind != GrowthKind::Unknown) {
            scene.line(at(positions.least, row.fit.at(positions.least)),
                       at(positions.most, row.fit.at(positions.most)), fit);
            scene.marks.back().item = scene.items.size();
        }
        scene.items.push_back({.kind = "series", .tip = row.group});
        const double left = growthFrame.right() + legendGap;
        const double top = growthFrame.area.y + 8 + static_cast<double>(number) * entryHeight;
        scene.line({.x = left, .y = top}, {.x = left + 18, .y = top}, fit);
        addLegendText({.x = left + legendGap, .y = top + 4}, row);
    }

  private:
    void addLegendText(inspector::plot::Point start, const GrowthRow& row) {
        scene.text(start, growthFrame.fitted(row.group, growthWidth - start.x - 6),
                   inspector::plot::inkStyle);
        std::string text =
            fmt::format("{} · {}", readablePercent(row.share), inspector::growthKindName(row.fit.kind));
        if (row.fit.exponent) {
            text += fmt::format(", exponent {:.2f}", *row.fit.exponent);
        }
        scene.text({.x = start.x, .y = start.y + 14}, text, inspector::plot::faintStyle);
    }

    [[nodiscard]] inspector::plot::Point at(double position, double time) const {
        return growthFrame.onScreen(
            {.x = positions.placeOf(position), .y = 1 - times.placeOf(std::clamp(time, 0.0, times.most))});
    }

    Scene& scene;
    const Growth& growth;
    inspector::plot::LinearAxis positions;
    inspector::plot::LinearAxis times;
};

}  // namespace

std::string growthPicture(const Growth& growth) {
    Scene scene;
    GrowthPass pass(scene, growth);
    scene.text({.x = growthFrame.area.x, .y = 24},
               growthFrame.fitted(growthSummary(growth), growthWidth - growthFrame.area.x - 10),
               inspector::plot::inkStyle);
    pass.addAxes();
    for (std::size_t i = 0; i < std::min(growth.rows.size(), mostDrawn); ++i) {
        pass.addSeries(i);
    }
    return inspector::plot::svgText(scene, growthWidth, growthHeight);
}

}  // namespace et::output
