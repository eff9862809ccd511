#include "visualizers/memory/memory_clock.h"

#include <algorithm>
#include <cmath>

namespace et::visualizers {

bool MemoryClock::follow(const MemoryPlan& plan, const inspector::EventBlocks& blocks,
                         const std::optional<TickRange>& range) {
    const bool fits = times && (!range || (times->origin <= range->last && range->first <= times->end()));
    if (fits) {
        return false;
    }
    times = inspector::stepTimes(
        plan.timeline, blocks, plan.onlyMethod,
        range ? std::optional(inspector::TickSpan{.first = range->first, .last = range->last})
              : std::nullopt);
    const auto& options = blocks.options();
    clock = times ? inspector::PlanAxis(*times, inspector::ticksPerUnit(options.clock.unit, options.target),
                                        options.target)
                  : inspector::PlanAxis();
    return true;
}

std::optional<AxisRange> MemoryClock::rangeOn(const TickRange& range, bool timed) const {
    return times && range.last >= times->origin && range.first <= times->end()
               ? std::optional(
                     AxisRange{.from = placeOf(range.first, timed), .to = placeOf(range.last, timed)})
               : std::nullopt;
}

TickRange MemoryClock::ticksOf(const AxisRange& range, bool timed) const {
    return {.first = tickOf(range.from, timed), .last = tickOf(range.to, timed)};
}

// Ticks before or after the run map to its ends.
double MemoryClock::placeOf(std::uint64_t tick, bool timed) const {
    const double time =
        tick <= times->origin ? 0 : std::min(static_cast<double>(tick - times->origin), clock.length());
    if (timed) {
        return time;
    }
    const inspector::Step step = clock.stepAt(time);
    const double length = clock.endOf(step) - clock.startOf(step);
    const double part = length > 0 ? (time - clock.startOf(step)) / length : 0;
    return static_cast<double>(step + 1) + std::clamp(part, 0.0, 1.0);
}

std::uint64_t MemoryClock::tickOf(double place, bool timed) const {
    if (timed) {
        return times->origin + static_cast<std::uint64_t>(place);
    }
    const double whole = std::floor(place);
    const inspector::Step step = static_cast<inspector::Step>(whole) - 1;
    const double time = clock.startOf(step) + (place - whole) * (clock.endOf(step) - clock.startOf(step));
    return times->origin + static_cast<std::uint64_t>(time);
}

}  // namespace et::visualizers
