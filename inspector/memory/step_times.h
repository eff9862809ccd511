#pragma once

#include "inspector/join/event_blocks.h"
#include "inspector/memory/memory_timeline.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace et::inspector {

/// Start times of a method's steps in one run of a trace.
struct StepTimes {
    std::size_t run = 0;       ///< index into Trace::runs()
    std::uint64_t origin = 0;  ///< start of the run in ticks of the trace's clock
    /// Start of each step in ticks from `origin`, starting with step -1, followed by the end of the run: two
    /// more entries than instructions, plus one. Never decreasing. A step without an event (a jump, a move)
    /// takes no time; for a step repeated in a loop, the first iteration counts.
    std::vector<std::uint64_t> begins{};

    [[nodiscard]] std::uint64_t end() const { return origin + begins.back(); }
};

/// An interval of the trace's clock in ticks, both ends inclusive.
struct TickSpan {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
};

/// Times of the first run of the method that touches `within`, or of the first run if none does or no
/// interval is given. Runs are assigned to methods as by isOf() (delegates/times.h). Nothing if the trace did
/// not run the method.
[[nodiscard]] std::optional<StepTimes> stepTimes(const MemoryTimeline& timeline, const EventBlocks& blocks,
                                                 bool onlyMethod,
                                                 std::optional<TickSpan> within = std::nullopt);

}  // namespace et::inspector
