#pragma once

#include "visualizers/timeline/timeline.h"

#include <cstdint>
#include <string>
#include <vector>

namespace et::visualizers {

/// A number that grows and falls over a timeline, for an area below its lanes.
struct TimelineCounter {
    struct Step {
        std::uint64_t time = 0;   ///< ticks from the timeline's origin; none is before the one in front of it
        std::uint64_t value = 0;  ///< bytes, from then on
    };
    std::string title;  ///< "Allocated so far, 3.2 MiB in all"
    std::vector<Step> steps;
    std::uint64_t peak = 0;  ///< largest value; above 0

    /// At a time; 0 before the first step.
    [[nodiscard]] std::uint64_t at(double time) const;
};

/// What the trace counts besides times: the bytes that allocators gave out so far. An allocation has no time
/// of its own: it stands where the last event in front of it in its run ended, which is at most one event too
/// early. Empty: the trace recorded none.
[[nodiscard]] std::vector<TimelineCounter> countersOf(const Timeline& timeline);

}  // namespace et::visualizers
