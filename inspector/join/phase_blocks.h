#pragma once

#include "inspector/join/event_blocks.h"
#include "inspector/join/run_groups.h"
#include "inspector/join/run_phases.h"

#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <vector>

namespace et::inspector::join::detail {

/// Splits groups so that each contains runs of one phase, and drops phases that are not in `only` (empty:
/// keep all) and the `Generate` runs that markBlocks() covers. Returns, for each group, the index of its
/// former group.
[[nodiscard]] std::vector<std::size_t> splitByPhase(RunGroups& groups, const etdump::Trace& trace,
                                                    const RunPhases& phases,
                                                    std::span<const std::string> only);

/// Storage of the spans of a block of marks.
struct MarkSamples {
    std::vector<double> samples;
    std::vector<std::uint64_t> startTicks;
    std::vector<etdump::EventIndex> profileEvents;
};

/// Builds one block per phase from the marks of a trace. Each has one event with a sample per call: the time
/// of work between executions ("sample"), or the time of a call outside its executions ("around the
/// execution").
[[nodiscard]] std::vector<Block> markBlocks(const etdump::Trace& trace, const RunPhases& phases,
                                            const JoinOptions& options, std::deque<MarkSamples>& storage);

/// Sorts blocks by start time.
void sortByTime(std::vector<Block>& blocks);

}  // namespace et::inspector::join::detail
