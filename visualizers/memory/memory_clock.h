#pragma once

#include "inspector/memory/plan_axis.h"
#include "visualizers/memory/memory_plan.h"
#include "visualizers/memory/plan_painter.h"
#include "visualizers/selection.h"

#include <cstdint>
#include <optional>

namespace et::visualizers {

/// Times of a plan's steps in a trace. Maps between the ticks of the trace's clock and positions on the
/// plan's axis, which counts steps or ticks. Empty without a trace of the plan.
class MemoryClock {
  public:
    void forget() { times.reset(); }
    /// Switches to the run of the trace that contains `range`. Returns true if it is a different one.
    bool follow(const MemoryPlan& plan, const inspector::EventBlocks& blocks,
                const std::optional<TickRange>& range);

    explicit operator bool() const { return times.has_value(); }
    /// Axis in ticks of the run.
    [[nodiscard]] const inspector::PlanAxis& axis() const { return clock; }
    /// The range of ticks on a time or step axis; nothing if it is outside of the run.
    [[nodiscard]] std::optional<AxisRange> rangeOn(const TickRange& range, bool timed) const;
    [[nodiscard]] TickRange ticksOf(const AxisRange& range, bool timed) const;

  private:
    [[nodiscard]] double placeOf(std::uint64_t tick, bool timed) const;
    [[nodiscard]] std::uint64_t tickOf(double place, bool timed) const;

    std::optional<inspector::StepTimes> times;
    inspector::PlanAxis clock;
};

}  // namespace et::visualizers
