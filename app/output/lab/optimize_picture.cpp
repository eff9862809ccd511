#include "app/output/lab/optimize_info.h"
#include "inspector/format/quantities.h"
#include "inspector/plot/pareto_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace et::output {
namespace {

using inspector::plot::ParetoCost;

// In points.
constexpr double frontWidth = 560;
constexpr double frontHeight = 340;
constexpr inspector::plot::Box frontArea{.x = 70, .y = 50, .width = 450, .height = 230};

inspector::plot::ParetoPoint frontPoint(const tasks::OptimizePoint& of, std::size_t index, double cost) {
    std::string tip = fmt::format("{} sites in float, {} bytes", of.count(), of.bytes);
    if (const auto decibels = of.decibels()) {
        tip += fmt::format(", {:.2f} dB", *decibels);
    }
    if (of.nanoseconds) {
        tip += ", " + inspector::format::readableTime(*of.nanoseconds);
    }
    return {.candidate = index, .cost = cost, .noise = of.noise, .chosen = of.chosen, .tip = std::move(tip)};
}

void addFront(inspector::plot::Scene& scene, const tasks::OptimizeResult& result, ParetoCost cost) {
    std::vector<inspector::plot::ParetoPoint> points;
    for (std::size_t i = 0; i < result.points.size(); ++i) {
        const tasks::OptimizePoint& point = result.points[i];
        if (!point.isFinite()) {
            continue;
        }
        if (cost == ParetoCost::Bytes) {
            points.push_back(frontPoint(point, i, static_cast<double>(point.bytes)));
        } else if (point.nanoseconds) {
            points.push_back(frontPoint(point, i, *point.nanoseconds));
        }
    }
    inspector::plot::Frame frame{.area = frontArea};
    frame.area.x += cost == ParetoCost::Bytes ? 0 : frontWidth;
    inspector::plot::ParetoPlot(std::move(points), cost, inspector::plot::ParetoError::Decibels)
        .addTo(scene, frame);
}

}  // namespace

std::string optimizePicture(const tasks::OptimizeResult& result) {
    const bool isTimed = std::ranges::any_of(
        result.points, [](const tasks::OptimizePoint& each) { return each.nanoseconds.has_value(); });
    inspector::plot::Scene scene;
    scene.text({.x = frontArea.x, .y = 18},
               fmt::format("{}: {} programs", core::printable(result.method), result.points.size()),
               inspector::plot::inkStyle);
    addFront(scene, result, ParetoCost::Bytes);
    if (isTimed) {
        addFront(scene, result, ParetoCost::Time);
    }
    return inspector::plot::svgText(scene, isTimed ? 2 * frontWidth : frontWidth, frontHeight);
}

}  // namespace et::output
