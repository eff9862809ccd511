#include "app/output/roofline/roofline_picture.h"

#include "inspector/format/json_text.h"
#include "inspector/roofline/roofline_plot.h"

#include <fmt/format.h>

#include <utility>

namespace et::output {
namespace {

using inspector::MachineProfile;
using inspector::RooflinePoint;

constexpr std::int64_t rooflineSchema = 1;

// In points.
constexpr double roofWidth = 960;
constexpr double roofHeight = 580;
constexpr inspector::plot::Frame roofFrame{.area = {.x = 80, .y = 56, .width = 800, .height = 440}};

}  // namespace

std::string rooflinePicture(const std::vector<RooflinePoint>& points, const MachineProfile& machine,
                            std::size_t threads) {
    const inspector::RooflinePlot plot(points, machine, threads);
    inspector::plot::Scene scene = plot.scene(roofFrame);
    const double left = roofFrame.area.x;
    scene.text({.x = left, .y = 24},
               fmt::format("{} operators below the limits of {} with {} thread{}", plot.points().size(),
                           machine.machine.cpu, threads, threads == 1 ? "" : "s"),
               inspector::plot::inkStyle);
    const double legend = roofFrame.bottom() + 60;
    const auto sign = [&](double x, bool delegated, const char* text) {
        scene.marks.push_back({.shape = inspector::plot::Box{.x = x, .y = legend, .width = 10, .height = 10},
                               .style = inspector::rooflinePointStyle(delegated)});
        scene.text({.x = x + 16, .y = legend + 9}, text, inspector::plot::faintStyle);
    };
    sign(left, false, "kernels of the runtime");
    sign(left + 190, true, "operators of delegates");
    if (plot.withoutPlace() > 0) {
        scene.text({.x = roofFrame.right(), .y = legend + 9},
                   fmt::format("{} without operations are not shown", plot.withoutPlace()),
                   inspector::plot::faintStyle, inspector::plot::TextAnchor::End);
    }
    return inspector::plot::svgText(scene, roofWidth, roofHeight);
}

std::string rooflineJson(const std::vector<RooflinePoint>& points, const MachineProfile& machine,
                         std::size_t threads) {
    using inspector::format::Dict;
    using inspector::format::optionalCell;
    inspector::format::List list;
    for (const RooflinePoint& point : points) {
        list.emplace_back(Dict{{"name", point.name},
                               {"delegated", point.delegated},
                               {"flops", point.operations},
                               {"bytes", point.bytes},
                               {"seconds", point.seconds},
                               {"share", point.share},
                               {"efficiency", optionalCell(point.efficiency)},
                               {"bound_by", point.boundBy}});
    }
    return inspector::format::jsonDocument(rooflineSchema, {{"threads", std::uint64_t{threads}},
                                                            {"machine", inspector::profileInfo(machine)},
                                                            {"operators", std::move(list)}});
}

}  // namespace et::output
