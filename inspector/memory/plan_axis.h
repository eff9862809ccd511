#pragma once

#include "inspector/format/time_scale.h"
#include "inspector/memory/memory_timeline.h"
#include "inspector/memory/step_times.h"
#include "inspector/plot/frame.h"

#include <cstddef>
#include <vector>

namespace et::inspector {

/// Horizontal positions of the steps of a method: evenly spaced, or by the clock of a traced run. The axis
/// starts at 0 with the step before the first instruction.
class PlanAxis {
  public:
    /// One unit per step.
    explicit PlanAxis(std::size_t instructions = 0);
    /// In ticks from the start of the run; labels are in `scale`.
    explicit PlanAxis(const StepTimes& times, double ticksPerUnit = 1,
                      TimeScale scale = TimeScale::Nanoseconds);

    [[nodiscard]] bool isTime() const { return timed; }
    [[nodiscard]] double length() const { return edges.back(); }
    /// Smallest useful visible range.
    [[nodiscard]] double closest() const;
    [[nodiscard]] double startOf(Step step) const { return edges[indexOf(step)]; }
    [[nodiscard]] double endOf(Step step) const { return edges[indexOf(step) + 1]; }
    /// The step at a position, clamped to the first and last step.
    [[nodiscard]] Step stepAt(double place) const;
    [[nodiscard]] Step lastStep() const { return static_cast<Step>(edges.size()) - 3; }
    /// Instructions or round times in [from, to], at least `least` (> 0) apart. Places are fractions of the
    /// axis.
    [[nodiscard]] std::vector<plot::Tick> ticks(double from, double to, double least) const;

  private:
    [[nodiscard]] std::size_t indexOf(Step step) const;

    std::vector<double> edges;  ///< by step + 1, followed by the end
    bool timed = false;
    double unit = 1;  ///< ticks per unit of `scale`
    TimeScale scale = TimeScale::Nanoseconds;
};

}  // namespace et::inspector
