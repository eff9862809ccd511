#pragma once

#include "inspector/join/event_blocks.h"
#include "inspector/join/run_groups.h"
#include "inspector/join/run_phases.h"

#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <vector>

namespace et::inspector::detail {

/// Splits groups so that the runs of each are of one phase, and leaves out the runs of `Generate` that were
/// understood (markBlocks() has them) and phases that are not among `only` (empty: all stay). Returns, for
/// each group, which one it was before.
[[nodiscard]] std::vector<std::size_t> splitByPhase(RunGroups& groups, const etdump::Trace& trace,
                                                    const RunPhases& phases,
                                                    std::span<const std::string> only);

/// What the spans of a block of marks point into.
struct MarkSamples {
    std::vector<double> samples;
    std::vector<std::uint64_t> startTicks;
    std::vector<etdump::EventIndex> profileEvents;
};

/// The marks of a trace as blocks, one a phase, each of one event with a sample a call: of work between
/// executions its time ("sample"), of executions what the call takes beside them ("around the execution").
[[nodiscard]] std::vector<Block> markBlocks(const etdump::Trace& trace, const RunPhases& phases,
                                            const JoinOptions& options, std::deque<MarkSamples>& storage);

/// Blocks by the time at which they begin.
void sortByTime(std::vector<Block>& blocks);

}  // namespace et::inspector::detail
