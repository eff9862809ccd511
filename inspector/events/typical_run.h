#pragma once

#include "inspector/events/event_rows.h"
#include "inspector/join/event_blocks.h"

#include <cstddef>
#include <optional>
#include <vector>

/// All runs of a block folded into one synthetic run in which each event has its median duration.
namespace et::inspector::events {

/// Position of an event in the typical run. Times in ticks of the trace's clock, from the start of the run.
struct TypicalStep {
    std::size_t row = 0;  ///< index into EventRows::rows
    double start = 0;
    double length = 0;  ///< the median
    double p10 = 0;     ///< of the durations: the band around the median
    double p90 = 0;
};

struct TypicalRun {
    std::size_t block = 0;  ///< index into EventBlocks::blocks()
    std::size_t runs = 0;   ///< number of folded runs
    double length = 0;      ///< ticks
    /// Ordered by start; for equal starts, containing steps come first.
    std::vector<TypicalStep> steps{};
};

/// Starts are medians too, moved as little as needed to keep steps of one parent in sequence and inside it;
/// if the medians of the parts sum to more than the whole, the last of them end outside. An event that
/// repeats within a run is at the median of its repetitions. `rows` are those of `blocks`.
[[nodiscard]] TypicalRun typicalRun(const EventBlocks& blocks, const EventRows& rows, std::size_t block);

/// The block with the most execution time, or without executions the most time; empty if none has times.
[[nodiscard]] std::optional<std::size_t> busiestBlock(const EventRows& rows);

}  // namespace et::inspector::events
