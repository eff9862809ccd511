#pragma once

#include "etdump/trace.h"
#include "inspector/join/clock.h"
#include "inspector/join/debug_comparison.h"
#include "inspector/join/event_blocks.h"
#include "inspector/join/run_groups.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace et::inspector::join::detail {

/// Debug events of one row over all runs.
struct DebugList {
    std::vector<etdump::EventIndex> events;
    std::size_t firstRun = 0;  ///< number of events from the first run that has any
    bool differs = false;
};

/// Memory for the spans of events and blocks. Samples of all events are in one array each, event by event.
struct BlockStorage {
    std::vector<double> samples;
    std::vector<std::uint64_t> startTicks;
    std::vector<etdump::EventIndex> profileEvents;
    std::deque<DebugList> debugLists;
    std::deque<std::string> texts;
};

/// Converts groups of runs to blocks with their samples and statistics, without a record.
class BlockBuilder {
  public:
    BlockBuilder(const etdump::Trace& source, const RunGroups& runGroups, const JoinOptions& join,
                 const core::MappedFile* debugBuffer, BlockStorage& store);

    /// Errors: Format (a clock that ran backwards; names the event), Limit (debug events).
    [[nodiscard]] core::Result<Block> build(const RunGroup& group);

    /// Describes values missing from the debug buffer; see DebugComparison.
    [[nodiscard]] std::optional<std::string> complaint() const { return comparison.complaint(); }

  private:
    /// Row -> debug list: rows of one instruction call share it, and thus its memory, in every run.
    using SharedDebug = std::map<std::vector<std::uint32_t>, const DebugList*>;

    void reserveSamples();
    [[nodiscard]] Event identityOf(const Slot& slot);
    [[nodiscard]] core::Result<> addSamples(Event& event, const RunGroup& group, std::size_t row);
    [[nodiscard]] core::Result<> addSample(const Event& event, etdump::EventIndex index);
    [[nodiscard]] core::Result<> addDebug(Event& event, const RunGroup& group, std::size_t row,
                                          SharedDebug& shared);
    [[nodiscard]] core::Result<const DebugList*> newDebugList(const RunGroup& group, std::size_t row);
    void addRunLists(Block& block, const RunGroup& group);
    void append(DebugList& list, std::span<const std::uint32_t> positions, etdump::EventIndex first);
    [[nodiscard]] std::span<const std::uint32_t> sampled(const RunShape& shape, const Slot& slot) const;

    const etdump::Trace& trace;
    const RunGroups& groups;
    const JoinOptions& options;
    BlockStorage& storage;
    Clock clock;
    DebugComparison comparison;
    std::size_t debugEventsLeft;  ///< remaining capacity of all lists
};

}  // namespace et::inspector::join::detail
