#pragma once

#include "inspector/memory/memory_timeline.h"
#include "inspector/memory/step_times.h"

#include <cstddef>
#include <vector>

namespace et::visualizers {

/// Horizontal positions of the steps of a method: evenly spaced, or by the clock of a traced run. The axis
/// starts at 0 with the step before the first instruction.
class PlanAxis {
  public:
    /// One unit per step.
    explicit PlanAxis(std::size_t instructions = 0);
    /// In ticks from the start of the run.
    explicit PlanAxis(const inspector::StepTimes& times);

    [[nodiscard]] bool isTime() const { return timed; }
    [[nodiscard]] double length() const { return edges.back(); }
    /// Smallest useful visible range.
    [[nodiscard]] double closest() const;
    [[nodiscard]] double startOf(inspector::Step step) const { return edges[indexOf(step)]; }
    [[nodiscard]] double endOf(inspector::Step step) const { return edges[indexOf(step) + 1]; }
    /// The step at a position, clamped to the first and last step.
    [[nodiscard]] inspector::Step stepAt(double place) const;
    [[nodiscard]] inspector::Step lastStep() const { return static_cast<inspector::Step>(edges.size()) - 3; }

  private:
    [[nodiscard]] std::size_t indexOf(inspector::Step step) const;

    std::vector<double> edges;  ///< by step + 1, followed by the end
    bool timed = false;
};

}  // namespace et::visualizers
