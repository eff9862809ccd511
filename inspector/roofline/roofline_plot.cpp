#include "inspector/roofline/roofline_plot.h"

#include "inspector/format/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace et::inspector {

namespace {

constexpr double roomAround = 2;  // margin factor beyond the extremes

std::vector<plot::Tick> ticksOf(const plot::LogAxis& axis, double from, double to, bool upright) {
    std::vector<plot::Tick> ticks;
    for (const double value : plot::logTicks(axis.valueAt(from), axis.valueAt(to))) {
        const double place = axis.placeOf(value);
        ticks.push_back({.place = upright ? 1 - place : place, .label = fmt::format("{:g}", value)});
    }
    return ticks;
}

}  // namespace

RooflinePlot::RooflinePlot(const std::vector<RooflinePoint>& points, const MachineProfile& machine,
                           std::size_t threads)
    : cpu(machine.machine.cpu) {
    for (const RooflinePoint& point : points) {
        if (point.hasPlace()) {
            intensities.include(point.intensity(), roomAround);
            rates.include(point.gigaops(), roomAround);
            shown.push_back(point);
        }
    }
    unplaced = points.size() - shown.size();
    std::ranges::stable_sort(shown, std::ranges::greater{}, &RooflinePoint::share);
    for (const auto& traits : arithmetics) {
        if (const double peak = machine.peak(traits.arithmetic, threads); peak > 0) {
            lines.push_back({.name = std::string(traits.name), .gigaops = peak});
            rates.most = std::max(rates.most, roomAround * peak);
        }
    }
    for (const BandwidthRate& level : machine.levels(threads)) {
        lines.push_back({.name = level.level, .gigabytes = level.best()});
    }
}

double RooflinePlot::highest() const {
    return lines.empty() ? 0 : std::ranges::max(lines, {}, &Roof::gigaops).gigaops;
}

plot::Point RooflinePlot::placeOf(double intensity, double gigaops) const {
    return {.x = intensities.placeOf(intensity), .y = 1 - rates.placeOf(gigaops)};
}

void RooflinePlot::addAxes(plot::Scene& scene, const plot::Frame& frame) const {
    const plot::Box& part = frame.part;
    plot::addGrid(scene, frame, false, ticksOf(intensities, part.x, part.x + part.width, false));
    plot::addGrid(scene, frame, true, ticksOf(rates, 1 - part.y - part.height, 1 - part.y, true));
    scene.text({.x = frame.area.x + frame.area.width / 2, .y = frame.bottom() + 2 * frame.lineHeight + 6},
               "operations per byte", plot::faintStyle, plot::TextAnchor::Middle);
    scene.text({.x = frame.area.x - 6, .y = frame.area.y - 10}, "GFLOP/s", plot::faintStyle,
               plot::TextAnchor::End);
}

void RooflinePlot::addRoofs(plot::Scene& scene, const plot::Frame& frame) const {
    const plot::Box& part = frame.part;
    const double leastIntensity = intensities.valueAt(part.x);
    const double mostIntensity = intensities.valueAt(part.x + part.width);
    const double leastRate = rates.valueAt(1 - part.y - part.height);
    const double mostRate = rates.valueAt(1 - part.y);
    const double ridge = highest();
    double last = -1;
    for (const Roof& roof : lines) {
        const bool isFlat = roof.gigaops > 0;
        // Rising lines begin at the left or lower edge and end at the highest flat one.
        const double from = isFlat ? leastIntensity : std::max(leastIntensity, leastRate / roof.gigabytes);
        const double to =
            isFlat || ridge <= 0 ? mostIntensity : std::min(mostIntensity, ridge / roof.gigabytes);
        const double rate = isFlat ? roof.gigaops : from * roof.gigabytes;
        if (from >= to || rate > mostRate || (isFlat && rate < leastRate)) {
            continue;
        }
        const plot::Point left = frame.onScreen(placeOf(from, rate));
        const plot::Point right = frame.onScreen(placeOf(to, isFlat ? rate : to * roof.gigabytes));
        scene.line(left, right, plot::ruleStyle, true);
        if (isFlat) {
            scene.text({.x = right.x, .y = right.y - 4}, fmt::format("{} {:.0f} GFLOP/s", roof.name, rate),
                       plot::inkStyle, plot::TextAnchor::End);
            continue;
        }
        // Labels of coinciding lines are moved apart.
        last = last >= 0 ? std::max(left.y, last + frame.lineHeight) : left.y;
        scene.text({.x = left.x + 6, .y = last - 6}, fmt::format("{} {:.0f} GB/s", roof.name, roof.gigabytes),
                   plot::inkStyle);
    }
}

void RooflinePlot::addPoint(plot::Scene& scene, const plot::Frame& frame, const RooflinePoint& point) const {
    constexpr double least = 3;
    constexpr double most = 16;
    const plot::Point at = frame.onScreen(placeOf(point.intensity(), point.gigaops()));
    const double radius = least + (most - least) * std::sqrt(std::clamp(point.share, 0.0, 1.0));
    scene.marks.push_back({.shape = plot::Circle{.centre = at, .radius = radius},
                           .style = rooflinePointStyle(point.delegated),
                           .clipped = true,
                           .item = scene.items.size()});
    scene.items.push_back({.kind = "operator",
                           .tip = rooflinePointText(point),
                           .at = at,
                           .radius = radius,
                           .event = point.row});
}

plot::Scene RooflinePlot::scene(const plot::Frame& frame) const {
    plot::Scene scene{.area = frame.area};
    addAxes(scene, frame);
    addRoofs(scene, frame);
    // The longest are drawn first, so that small points are in front.
    for (const RooflinePoint& point : shown) {
        addPoint(scene, frame, point);
    }
    if (shown.empty()) {
        scene.text({.x = frame.area.x + frame.area.width / 2, .y = frame.area.y + frame.area.height / 2},
                   "The operations of the operators in this trace are unknown.", plot::faintStyle,
                   plot::TextAnchor::Middle);
    }
    return scene;
}

plot::Style rooflinePointStyle(bool delegated) {
    const plot::Tone tone = delegated ? plot::Tone::Delegate : plot::Tone::Kernel;
    return {
        .name = delegated ? "point delegate" : "point kernel", .fill = tone, .stroke = tone, .opacity = 0.6};
}

std::string rooflinePointText(const RooflinePoint& point) {
    std::string text = fmt::format("{}\n{}, {} of the time\n{:.3g} GFLOP/s at {:.3g} operations per byte",
                                   point.name, format::readableTime(point.seconds, TimeScale::Seconds),
                                   format::readablePercent(point.share), point.gigaops(), point.intensity());
    if (point.efficiency) {
        text += fmt::format("\n{} of the machine's limit, bound by {}",
                            format::readablePercent(*point.efficiency), point.boundBy);
    }
    return text;
}

}  // namespace et::inspector
