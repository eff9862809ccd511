#include "inspector/memory/plan_axis.h"

#include "inspector/format/axis_mark.h"
#include "inspector/plot/axis.h"

#include <fmt/format.h>

#include <algorithm>

namespace et::inspector {

namespace {

constexpr double minSteps = 3;
constexpr double minTicks = 20;

}  // namespace

PlanAxis::PlanAxis(std::size_t instructions) {
    for (std::size_t edge = 0; edge < instructions + 3; ++edge) {
        edges.push_back(static_cast<double>(edge));
    }
}

PlanAxis::PlanAxis(const StepTimes& times, double ticksPerUnit, TimeScale labels)
    : edges(times.begins.begin(), times.begins.end()), timed(true), unit(ticksPerUnit), scale(labels) {
    if (!edges.empty()) {
        edges.back() = std::max(edges.back(), 1.0);
    }
}

double PlanAxis::closest() const {
    return timed ? minTicks : minSteps;
}

std::size_t PlanAxis::indexOf(Step step) const {
    return static_cast<std::size_t>(std::clamp<Step>(step, -1, lastStep()) + 1);
}

Step PlanAxis::stepAt(double place) const {
    const auto after = std::upper_bound(edges.begin(), edges.end(), place);
    const auto step = static_cast<Step>(after - edges.begin()) - 2;
    return std::clamp<Step>(step, -1, lastStep());
}

std::vector<plot::Tick> PlanAxis::ticks(double from, double to, double least) const {
    std::vector<plot::Tick> out;
    if (timed) {
        const double step = plot::roundStep(least / unit);
        for (const double time : plot::multiples(from / unit, to / unit, step)) {
            out.push_back({.place = time * unit / length(),
                           .label = format::axisMark(time, step, format::measureOf(scale))});
        }
        return out;
    }
    const double last = std::min(to, length() - 2);
    for (const double number :
         plot::multiples(std::max(from - 1, 0.0), last - 1, std::max(plot::roundStep(least), 1.0))) {
        out.push_back({.place = (number + 1) / length(), .label = fmt::format("{:.0f}", number)});
    }
    return out;
}

}  // namespace et::inspector
