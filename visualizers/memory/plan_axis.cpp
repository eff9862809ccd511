#include "visualizers/memory/plan_axis.h"

#include <algorithm>

namespace et::visualizers {

namespace {

constexpr double minSteps = 3;
constexpr double minTicks = 20;

}  // namespace

PlanAxis::PlanAxis(std::size_t instructions) {
    for (std::size_t edge = 0; edge < instructions + 3; ++edge) {
        edges.push_back(static_cast<double>(edge));
    }
}

PlanAxis::PlanAxis(const inspector::StepTimes& times)
    : edges(times.begins.begin(), times.begins.end()), timed(true) {
    if (!edges.empty()) {
        edges.back() = std::max(edges.back(), 1.0);
    }
}

double PlanAxis::closest() const {
    return timed ? minTicks : minSteps;
}

std::size_t PlanAxis::indexOf(inspector::Step step) const {
    return static_cast<std::size_t>(std::clamp<inspector::Step>(step, -1, lastStep()) + 1);
}

inspector::Step PlanAxis::stepAt(double place) const {
    const auto after = std::upper_bound(edges.begin(), edges.end(), place);
    const auto step = static_cast<inspector::Step>(after - edges.begin()) - 2;
    return std::clamp<inspector::Step>(step, -1, lastStep());
}

}  // namespace et::visualizers
