#include "app/output/trend/trend_page.h"
#include "inspector/trend/trend_plot.h"
#include "inspector/trend/trend_text.h"

#include <fmt/format.h>

namespace et::output {
namespace {

// In points.
constexpr double trendWidth = 960;
constexpr double trendTop = 40;
constexpr double trendGroupHeight = 184;
constexpr inspector::plot::Box trendArea{.x = 90, .y = 52, .width = 840, .height = 120};

}  // namespace

std::string trendPicture(const inspector::Trend& trend) {
    inspector::plot::Scene scene;
    inspector::plot::Frame frame{.area = trendArea};
    scene.text({.x = trendArea.x, .y = 18}, frame.fitted(trend.model, trendArea.width),
               inspector::plot::titleStyle);
    for (std::size_t i = 0; i < trend.groups.size(); ++i) {
        const double now = levelsOf(trend, i).back().time;
        addTrend(scene, frame, trend,
                 {.group = i,
                  .title = fmt::format("{} · {}", groupLabel(trend, i),
                                       inspector::trendTime(now, trend.groups[i].cycles))});
        frame.area.y += trendGroupHeight;
    }
    return inspector::plot::svgText(scene, trendWidth,
                                    trendTop + trendGroupHeight * static_cast<double>(trend.groups.size()));
}

}  // namespace et::output
