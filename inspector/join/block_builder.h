#pragma once

#include "etdump/trace.h"
#include "inspector/join/event_blocks.h"
#include "inspector/join/run_groups.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace et::inspector::join::detail {

/// Converts clock readings to durations in the target unit.
class Clock {
  public:
    explicit Clock(const JoinOptions& options)
        : perUnit(ticksPerUnit(options.clock.unit, options.target)), quirks(options.referenceQuirks) {}

    /// Time of one event. The reference scales both readings of a delegated event before subtracting them,
    /// which rounds differently; we do the same to match the last digit. Empty if the clock ran backwards and
    /// is not 32 bits wide.
    [[nodiscard]] std::optional<double> duration(std::uint64_t start, std::uint64_t end,
                                                 bool delegated) const {
        if (start <= end) {
            return delegated ? scaled(end) - scaled(start) : scaled(end - start);
        }
        return wrapped(start, end, delegated);
    }

  private:
    [[nodiscard]] double scaled(std::uint64_t ticks) const { return static_cast<double>(ticks) / perUnit; }
    [[nodiscard]] std::optional<double> wrapped(std::uint64_t start, std::uint64_t end, bool delegated) const;

    double perUnit;
    bool quirks;
};

/// Compares logged values of different runs bitwise; without a debug buffer, tensors are compared by dtype
/// and sizes only.
class DebugComparison {
  public:
    DebugComparison(const etdump::Trace& source, const core::MappedFile* debugBuffer);

    /// True if the two lists of debug events contain the same values in the same order.
    [[nodiscard]] bool same(std::span<const etdump::EventIndex> a, std::span<const etdump::EventIndex> b);

    /// Describes the problem with the debug buffer in one line; empty if it contains every value compared so
    /// far.
    [[nodiscard]] std::optional<std::string> complaint() const;

  private:
    [[nodiscard]] bool sameValue(const etdump::DebugValue& a, const etdump::DebugValue& b);
    [[nodiscard]] bool sameTensor(const etdump::DebugTensor& a, const etdump::DebugTensor& b);
    [[nodiscard]] std::optional<core::Bytes> bytesOf(const etdump::DebugTensor& tensor);

    const etdump::Trace& trace;
    const core::MappedFile* buffer;
    std::uint64_t budget = 0;       ///< remaining bytes that may be compared
    std::size_t outside = 0;        ///< tensors outside the buffer
    std::int64_t firstOutside = 0;  ///< offset of the first of them
};

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
