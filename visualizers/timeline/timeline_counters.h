#pragma once

#include "visualizers/timeline/timeline.h"

#include <cstdint>
#include <string>
#include <vector>

namespace et::visualizers {

/// A counter over a timeline, drawn as an area below its lanes.
struct TimelineCounter {
    struct Step {
        std::uint64_t time = 0;   ///< ticks from the timeline's origin, in ascending order
        std::uint64_t value = 0;  ///< bytes from this time on
    };
    std::string title;  ///< "Allocated so far, 3.2 MiB in all"
    std::vector<Step> steps;
    std::uint64_t peak = 0;  ///< largest value, above 0

    /// Value at a time; 0 before the first step.
    [[nodiscard]] std::uint64_t at(double time) const;
};

/// Counters of the trace: bytes that allocators have provided so far. An allocation has no time: it is placed
/// at the end of the preceding event in its run, which is at most one event too early. Empty if the trace has
/// none.
[[nodiscard]] std::vector<TimelineCounter> makeCounters(const Timeline& timeline);

}  // namespace et::visualizers
