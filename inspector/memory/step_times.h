#pragma once

#include "inspector/join/event_blocks.h"
#include "inspector/memory/memory_timeline.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace et::inspector {

/// When the steps of a method ran, in one of the runs of a trace.
struct StepTimes {
    std::size_t run = 0;       ///< index into Trace::runs()
    std::uint64_t origin = 0;  ///< ticks of the trace's clock at which the run begins
    /// Ticks from `origin` at which each step begins, starting with step -1, then the end of the run: two
    /// more than there are instructions, plus one. None is less than the one before it. A step that left no
    /// trace (a jump, a move) takes no time; of one that a loop repeats, its first turn counts.
    std::vector<std::uint64_t> begins{};

    [[nodiscard]] std::uint64_t end() const { return origin + begins.back(); }
};

/// A stretch of the trace's clock, in ticks, both ends included.
struct TickSpan {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
};

/// The first run of the method that touches `within`, or the first of all where none does or no stretch is
/// given. Which runs are the method's is as for isOf() (delegates/times.h). Nothing: the trace did not run
/// it.
[[nodiscard]] std::optional<StepTimes> stepTimes(const MemoryTimeline& timeline, const EventBlocks& blocks,
                                                 bool onlyMethod,
                                                 std::optional<TickSpan> within = std::nullopt);

}  // namespace et::inspector
