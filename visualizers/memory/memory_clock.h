#pragma once

#include "inspector/memory/step_times.h"
#include "visualizers/memory/memory_plan.h"
#include "visualizers/memory/plan_axis.h"
#include "visualizers/memory/plan_painter.h"
#include "visualizers/selection.h"

#include <cstdint>
#include <optional>

namespace et::visualizers {

/// When the steps of a plan ran in a trace: between the ticks of its clock and places on a plan's axis, which
/// counts steps or ticks. Without a trace of the plan it knows nothing.
class MemoryClock {
  public:
    void forget() { times.reset(); }
    /// Takes the run of the trace that `range` is in, if it is not the one that is known. True: it is
    /// another.
    bool follow(const MemoryPlan& plan, const inspector::EventBlocks& blocks,
                const std::optional<TickRange>& range);

    explicit operator bool() const { return times.has_value(); }
    /// Of the run's ticks.
    [[nodiscard]] const PlanAxis& axis() const { return clock; }
    /// Where a range of ticks is on an axis of time or of steps; nothing where it is outside of the run.
    [[nodiscard]] std::optional<AxisRange> rangeOn(const TickRange& range, bool timed) const;
    [[nodiscard]] TickRange ticksOf(const AxisRange& range, bool timed) const;

  private:
    [[nodiscard]] double placeOf(std::uint64_t tick, bool timed) const;
    [[nodiscard]] std::uint64_t tickOf(double place, bool timed) const;

    std::optional<inspector::StepTimes> times;
    PlanAxis clock;
};

}  // namespace et::visualizers
