#pragma once

#include "etdump/trace.h"
#include "etdump/writer.h"
#include "runtime/core/event_tracer.h"

#include <cstdint>
#include <deque>
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

/// Texts by number, each held once.
class TextTable {
  public:
    [[nodiscard]] std::uint32_t intern(std::string_view text);
    [[nodiscard]] const std::string& operator[](std::uint32_t id) const { return texts[id]; }
    [[nodiscard]] std::size_t size() const { return texts.size(); }

  private:
    std::deque<std::string> texts;
    std::unordered_map<std::string_view, std::uint32_t> ids;
};

/// What one event takes in memory while a method runs; texts by number, all else by position.
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

/// The events of runs as they come: adding one writes some 48 bytes in order and never moves the others.
class RecordedEvents {
  public:
    /// Holds at most `limit` events and runs together.
    explicit RecordedEvents(std::size_t limit);

    TextTable texts;

    void beginRun(std::string_view name);
    void endRun();
    /// Id of a new allocator in this run, counted from 1; 0 where the limit is reached.
    [[nodiscard]] std::uint32_t addAllocator(std::string_view name);

    /// Where the next event goes; null once the limit is reached: count what is left out then.
    [[nodiscard]] RecordedEvent* add() { return next != blockEnd ? next++ : addBlock(); }
    [[nodiscard]] std::uint32_t addMetadata(core::Bytes bytes);
    [[nodiscard]] std::uint32_t addValue(DebugValue value);

    struct Counts {
        std::size_t runs = 0;
        std::size_t events = 0;
    };
    /// Events so far.
    [[nodiscard]] std::size_t size() const;
    /// What writeTo() writes.
    [[nodiscard]] Counts written() const;
    /// What found no room any more.
    [[nodiscard]] Counts leftOut() const { return lost; }
    [[nodiscard]] bool full() const { return limitReached; }

    /// About the size of the file.
    [[nodiscard]] std::size_t expectedFileBytes() const;
    /// All runs that are complete, and of those that are not each that has no complete one of its name: a
    /// part of a run beside whole ones would only be mistaken for another kind of run.
    void writeTo(TraceWriter& writer) const;

  private:
    static constexpr std::size_t blockSize = 8192;

    struct RunRecord {
        std::string name;
        std::size_t firstEvent = 0;
        std::vector<std::uint32_t> allocators;  ///< texts
        bool complete = false;
    };
    struct Metadata {
        std::size_t offset;
        std::size_t size;
    };

    RecordedEvent* addBlock();
    void reachLimit();
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
    std::vector<std::unique_ptr<RecordedEvent[]>> blocks;
    std::size_t cut = 0;  ///< events that are left when the limit is reached
    std::vector<RunRecord> allRuns;
    std::set<std::string, std::less<>> completeNames;  ///< of runs
    std::vector<Metadata> metadata;
    std::vector<std::byte> metadataBytes;
    std::vector<DebugValue> values;
};

}  // namespace et::etdump::detail
