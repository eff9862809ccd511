#pragma once

#include "etdump/detail/append_log.h"
#include "etdump/trace.h"
#include "etdump/writer.h"
#include "runtime/core/event_tracer.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace et::etdump::detail {

/// Interned texts by number. Other threads may read texts whose number they have.
class TextTable {
  public:
    [[nodiscard]] std::uint32_t intern(std::string_view text);
    [[nodiscard]] const std::string& operator[](std::uint32_t id) const { return texts[id]; }
    [[nodiscard]] std::size_t size() const { return texts.size(); }

  private:
    AppendLog<std::string> texts;
    std::unordered_map<std::string_view, std::uint32_t> ids;
};

/// In-memory record of one event while a method runs; texts by number, everything else by position.
struct RecordedEvent {
    static constexpr std::uint32_t noPart = std::numeric_limits<std::uint32_t>::max();

    std::uint64_t start;  ///< allocation: id of the allocator
    std::uint64_t end;    ///< allocation: bytes
    std::int32_t instruction;
    std::int32_t chain;
    std::int32_t delegateInt;
    std::uint32_t name;
    std::uint32_t delegateText;
    std::uint32_t part;  ///< position of the metadata or of the debug value
    EventKind kind;
};

/// A run: its events and allocators extend from its first ones to those of the next run.
struct RunRecord {
    RunRecord(std::string_view runName, std::size_t event, std::size_t allocator)
        : name(runName), firstEvent(event), firstAllocator(allocator) {}

    std::string name;
    std::size_t firstEvent;
    std::size_t firstAllocator;
    std::atomic<bool> complete = false;
};

/// Part of RecordedEvents that another thread may read.
struct RecordedPart {
    std::size_t runs = 0;
    std::size_t events = 0;       ///< end of the last run's events
    bool lastIsComplete = false;  ///< the last run; earlier runs have their own flag
};

/// Events of runs in recording order: adding one writes some 48 bytes sequentially and never moves the
/// others. One thread records; others may read what published() returns.
class RecordedEvents {
  public:
    /// Stores at most `limit` events and runs together.
    explicit RecordedEvents(std::size_t limit);

    TextTable texts;

    void beginRun(std::string_view name);
    void endRun();
    /// Id of a new allocator in this run, counted from 1; 0 if the limit is reached.
    [[nodiscard]] std::uint32_t addAllocator(std::string_view name);

    /// Counts dropped events once the limit is reached.
    void add(const RecordedEvent& event) {
        if (next == blockEnd && !addBlock()) {
            return;
        }
        *next++ = event;
        count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }
    [[nodiscard]] std::uint32_t addMetadata(core::Bytes bytes);
    [[nodiscard]] std::uint32_t addValue(DebugValue value);

    struct Counts {
        std::size_t runs = 0;
        std::size_t events = 0;
    };
    /// Number of events so far.
    [[nodiscard]] std::size_t size() const {
        return std::min(count.load(std::memory_order_acquire), cut.load(std::memory_order_acquire));
    }
    /// Counts of the items that writeTo() writes.
    [[nodiscard]] Counts written() const;
    /// Counts of the items above the limit.
    [[nodiscard]] Counts leftOut() const { return lost; }
    [[nodiscard]] bool full() const { return limitReached; }
    [[nodiscard]] std::size_t limit() const { return max; }

    /// Approximate file size.
    [[nodiscard]] std::size_t expectedFileBytes() const;
    /// Writes all complete runs, and incomplete runs that have no complete run of the same name: a partial
    /// run next to complete ones would be mistaken for another kind of run.
    void writeTo(TraceWriter& writer) const;

    /// Callable from any thread, which may then read that part with the functions below.
    [[nodiscard]] RecordedPart published() const;
    [[nodiscard]] const RunRecord& run(std::size_t index) const { return allRuns[index]; }
    /// Consecutive events from `first` on: at least one and at most `most`.
    [[nodiscard]] std::span<const RecordedEvent> events(std::size_t first, std::size_t most) const {
        const std::size_t at = first % blockSize;
        return {blocks[first / blockSize].get() + at, std::min(most, blockSize - at)};
    }
    /// Names of a run's allocators so far, as text numbers.
    [[nodiscard]] std::vector<std::uint32_t> allocatorsOf(std::size_t run) const;
    [[nodiscard]] core::Bytes metadataOf(const RecordedEvent& event) const {
        return event.part == RecordedEvent::noPart ? core::Bytes() : metadata[event.part];
    }
    [[nodiscard]] const DebugValue& valueOf(const RecordedEvent& event) const { return values[event.part]; }

  private:
    static constexpr std::size_t blockSize = 8192;
    static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

    bool addBlock();
    void reachLimit();
    [[nodiscard]] std::size_t runCount() const {
        return std::min(allRuns.size(), keptRuns.load(std::memory_order_acquire));
    }
    [[nodiscard]] bool isWritten(const RunRecord& run) const {
        return run.complete || !completeNames.contains(run.name);
    }
    [[nodiscard]] std::size_t endOf(std::size_t run) const;
    void writeEvent(TraceWriter& writer, const RecordedEvent& event, std::span<const TextId> ids) const;

    std::size_t max;
    bool limitReached = false;
    Counts lost;
    RecordedEvent* next = nullptr;
    RecordedEvent* blockEnd = nullptr;
    AppendLog<std::unique_ptr<RecordedEvent[]>> blocks;
    std::atomic<std::size_t> count = 0;             ///< events stored in their blocks
    std::atomic<std::size_t> cut = unlimited;       ///< events kept once the limit is reached
    std::atomic<std::size_t> keptRuns = unlimited;  ///< runs kept once the limit is reached
    AppendLog<RunRecord> allRuns;
    AppendLog<std::uint32_t> allocators;               ///< texts
    std::set<std::string, std::less<>> completeNames;  ///< of runs
    AppendLog<core::Bytes> metadata;                   ///< in metadataMemory
    std::vector<std::unique_ptr<std::byte[]>> metadataMemory;
    std::span<std::byte> metadataRoom;  ///< free space at the end of the last block
    std::size_t metadataBytes = 0;
    AppendLog<DebugValue> values;
};

}  // namespace et::etdump::detail
