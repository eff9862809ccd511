#pragma once

#include "etdump/detail/live_tables.h"
#include "etdump/detail/recorded_events.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace et::etdump::detail {

/// A run, or what there is of it, to be written.
struct LiveRunPart {
    std::size_t run = 0;
    std::size_t firstEvent = 0;
    std::size_t endEvent = 0;
};

/// Builds one piece of a live trace: runs or events with all that they refer to, to be written at a place
/// that is known beforehand. Tables come first, each of a fixed size, and behind them strings, metadata and
/// values, since offsets in a flatbuffer point forward; a text is written once a piece.
class LivePiece {
  public:
    LivePiece(const RecordedEvents& recorded, const LiveHead& fileHead)
        : source(&recorded), head(&fileHead) {}

    /// Each makes a new piece for `position`, a multiple of 8.
    void makeRuns(std::uint32_t position, std::span<const LiveRunPart> runs);
    /// A run whose list of events is the end of the piece, with length 0. The offsets of events follow there.
    void makeOpenRun(std::uint32_t position, std::size_t run);
    /// Events of a run whose list has the offset of the first of them at `offsetsAt`.
    void makeEvents(std::uint32_t position, const LiveRunPart& part, std::uint32_t offsetsAt);

    /// Its size is a multiple of 8.
    [[nodiscard]] core::Bytes bytes() const { return content; }
    /// Where the runs of makeRuns() or makeOpenRun() are, in their order.
    [[nodiscard]] std::span<const std::uint32_t> runsAt() const { return runPositions; }
    /// Of makeEvents(): what belongs at `offsetsAt`.
    [[nodiscard]] core::Bytes offsets() const { return offsetBytes; }

  private:
    struct TextPlace {
        std::uint32_t piece = 0;  ///< number of the piece that has it
        std::uint32_t position = 0;
    };

    void begin(std::uint32_t position, std::size_t tableBytes);
    void end();
    void putRun(std::uint32_t position, std::size_t run);
    void putEvents(const LiveRunPart& part, std::uint32_t at, std::uint32_t offsetsAt, std::byte* offsetsTo);
    void putEvent(const RecordedEvent& event, std::uint32_t at);
    void putProfile(const RecordedEvent& event, std::uint32_t at);
    void putDebug(const RecordedEvent& event, std::uint32_t at);
    void useStrideFor(std::size_t firstEvent, std::size_t endEvent);

    template <class Scalar>
    void put(std::uint32_t at, Scalar value);
    void putTable(std::uint32_t at, LiveTable kind);
    void putOffset(std::uint32_t at, std::uint32_t target);

    /// Each appends to the tail and says where.
    std::uint32_t appendVector(core::Bytes elements, bool isString);
    std::uint32_t appendText(std::uint32_t text);
    std::uint32_t appendRunName(std::string_view name);
    std::uint32_t appendAllocators(std::span<const std::uint32_t> texts);
    std::uint32_t appendValue(const DebugValue& value);
    std::uint32_t alignTail(std::uint32_t to, std::uint32_t rest = 0);

    const RecordedEvents* source;
    const LiveHead* head;

    std::uint32_t start = 0;
    std::uint32_t tailAt = 0;
    std::vector<std::byte> content;  ///< the tables, and at the end the tail as well
    std::vector<std::byte> tail;
    std::size_t stride = 0;  ///< bytes of one event
    std::uint32_t piece = 0;
    std::vector<TextPlace> texts;
    std::string_view lastRunName;
    std::uint32_t lastRunNameAt = 0;
    std::vector<std::uint32_t> runPositions;
    std::vector<std::byte> offsetBytes;
};

}  // namespace et::etdump::detail
