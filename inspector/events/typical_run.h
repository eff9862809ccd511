#pragma once

#include "inspector/events/event_rows.h"
#include "inspector/join/event_blocks.h"

#include <cstddef>
#include <optional>
#include <vector>

/// All runs of a block folded into one that none of them is: each event as long as its median.
namespace et::inspector::report {

/// An event's place in the typical run. Times in ticks of the trace's clock, from the start of the run.
struct TypicalStep {
    std::size_t row = 0;  ///< index into EventRows::rows
    double start = 0;
    double length = 0;  ///< the median
    double p10 = 0;     ///< of its lengths: the band around the median
    double p90 = 0;
};

struct TypicalRun {
    std::size_t block = 0;  ///< index into EventBlocks::blocks()
    std::size_t runs = 0;   ///< that are folded
    double length = 0;      ///< ticks
    /// In the order in which they start; those of equal start with what contains them first.
    std::vector<TypicalStep> steps{};
};

/// Starts are medians too, moved by as little as keeps steps of one parent behind one another and inside of
/// it; where the medians of the parts add up to more than the whole, the last of them end outside. An event
/// that repeats within a run stands at the median of its turns. `rows` are those of `blocks`.
[[nodiscard]] TypicalRun typicalRun(const EventBlocks& blocks, const EventRows& rows, std::size_t block);

/// The block whose executions take most time, or without executions the one that takes most; nothing: none
/// has times.
[[nodiscard]] std::optional<std::size_t> busiestBlock(const EventRows& rows);

}  // namespace et::inspector::report
