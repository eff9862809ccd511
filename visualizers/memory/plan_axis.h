#pragma once

#include "inspector/memory/memory_timeline.h"
#include "inspector/memory/step_times.h"

#include <cstddef>
#include <vector>

namespace et::visualizers {

/// Where the steps of a method stand on the horizontal axis: evenly, or by the clock of a traced run. In both
/// the axis begins at 0 with the step before the first instruction.
class PlanAxis {
  public:
    /// A unit for each step.
    explicit PlanAxis(std::size_t instructions = 0);
    /// In ticks from where the run begins.
    explicit PlanAxis(const inspector::StepTimes& times);

    [[nodiscard]] bool isTime() const { return timed; }
    [[nodiscard]] double length() const { return edges.back(); }
    /// The least that is worth looking at.
    [[nodiscard]] double closest() const;
    [[nodiscard]] double startOf(inspector::Step step) const { return edges[indexOf(step)]; }
    [[nodiscard]] double endOf(inspector::Step step) const { return edges[indexOf(step) + 1]; }
    /// The step that is at a place; the first or last for places outside.
    [[nodiscard]] inspector::Step stepAt(double place) const;
    [[nodiscard]] inspector::Step lastStep() const { return static_cast<inspector::Step>(edges.size()) - 3; }

  private:
    [[nodiscard]] std::size_t indexOf(inspector::Step step) const;

    std::vector<double> edges;  ///< by step + 1, then the end
    bool timed = false;
};

}  // namespace et::visualizers
