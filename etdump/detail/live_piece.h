#pragma once

#include "etdump/detail/live_tables.h"
#include "etdump/detail/recorded_events.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace et::etdump::detail {

/// A run, or the recorded part of it, to be written.
struct LiveRunPart {
    std::size_t run = 0;
    std::size_t firstEvent = 0;
    std::size_t endEvent = 0;
};

/// Builds one piece of a live trace: runs or events with everything they reference, written at a position
/// known in advance. Fixed-size tables come first, followed by strings, metadata and values, because offsets
/// in a flatbuffer point forward; each text is written once per piece.
class LivePiece {
  public:
    LivePiece(const RecordedEvents& recorded, const LiveHead& fileHead)
        : source(&recorded), head(&fileHead) {}

    /// Each of these builds a new piece for `position`, a multiple of 8.
    void makeRuns(std::uint32_t position, std::span<const LiveRunPart> runs);
    /// A run whose list of events, with length 0, is the end of the piece. The offsets of events follow it.
    void makeOpenRun(std::uint32_t position, std::size_t run);
    /// Events of a run; the offset of the first of them belongs at `offsetsAt`.
    void makeEvents(std::uint32_t position, const LiveRunPart& part, std::uint32_t offsetsAt);

    /// Its size is a multiple of 8.
    [[nodiscard]] core::Bytes bytes() const { return content; }
    /// Positions of the runs of makeRuns() or makeOpenRun(), in order.
    [[nodiscard]] std::span<const std::uint32_t> runsAt() const { return runPositions; }
    /// After makeEvents(): the bytes to write at `offsetsAt`.
    [[nodiscard]] core::Bytes offsets() const { return offsetBytes; }

  private:
    struct TextPosition {
        std::uint32_t piece = 0;  ///< number of the piece that contains it
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

    /// Each appends to the tail and returns the position.
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
    std::vector<std::byte> content;  ///< the tables, finally also the tail
    std::vector<std::byte> tail;
    std::size_t stride = 0;  ///< bytes of one event
    std::uint32_t piece = 0;
    std::vector<TextPosition> texts;
    std::string_view lastRunName;
    std::uint32_t lastRunNameAt = 0;
    std::vector<std::uint32_t> runPositions;
    std::vector<std::byte> offsetBytes;
};

}  // namespace et::etdump::detail
