#include "etdump/detail/live_piece.h"

#include "etdump/detail/debug_value.h"

#include <flatbuffers/flatbuffers.h>

#include <algorithm>

namespace et::etdump::detail {
namespace {

constexpr std::uint32_t offsetBytesEach = sizeof(flatbuffers::uoffset_t);
constexpr std::uint32_t lengthBytes = sizeof(flatbuffers::uoffset_t);
constexpr std::uint32_t widest = 8;  ///< alignment of the widest scalar

constexpr std::uint32_t aligned(std::uint64_t bytes, std::uint32_t to = widest) {
    return static_cast<std::uint32_t>((bytes + to - 1) / to * to);
}

/// Size of a run's table with its list of events, without the events.
constexpr std::uint32_t runBytes(std::size_t events) {
    return aligned(LiveRun::bytes + lengthBytes + events * offsetBytesEach);
}

}  // namespace

void LivePiece::makeRuns(std::uint32_t position, std::span<const LiveRunPart> runs) {
    useStrideFor(runs.front().firstEvent, runs.back().endEvent);
    std::size_t bytes = 0;
    for (const LiveRunPart& part : runs) {
        const std::size_t events = part.endEvent - part.firstEvent;
        bytes += runBytes(events) + events * stride;
    }
    begin(position, bytes);
    std::uint32_t at = start;
    for (const LiveRunPart& part : runs) {
        const auto events = static_cast<std::uint32_t>(part.endEvent - part.firstEvent);
        const std::uint32_t lengthAt = at + LiveRun::bytes;
        const std::uint32_t offsetsAt = lengthAt + lengthBytes;
        putRun(at, part.run);
        putOffset(at + LiveRun::eventsAt, lengthAt);
        put(lengthAt, events);
        at += runBytes(events);
        putEvents(part, at, offsetsAt, content.data() + (offsetsAt - start));
        at += events * static_cast<std::uint32_t>(stride);
    }
    end();
}

void LivePiece::makeOpenRun(std::uint32_t position, std::size_t run) {
    begin(position, LiveRun::bytes);
    putRun(start, run);
    const std::uint32_t lengthAt = alignTail(widest, widest - lengthBytes);
    tail.resize(tail.size() + lengthBytes);
    putOffset(start + LiveRun::eventsAt, lengthAt);
    end();
}

void LivePiece::makeEvents(std::uint32_t position, const LiveRunPart& part, std::uint32_t offsetsAt) {
    useStrideFor(part.firstEvent, part.endEvent);
    const std::size_t events = part.endEvent - part.firstEvent;
    begin(position, events * stride);
    offsetBytes.resize(events * offsetBytesEach);
    putEvents(part, start, offsetsAt, offsetBytes.data());
    end();
}

void LivePiece::begin(std::uint32_t position, std::size_t tableBytes) {
    start = position;
    tailAt = position + static_cast<std::uint32_t>(tableBytes);
    content.assign(tableBytes, std::byte{});
    tail.clear();
    ++piece;
    lastRunNameAt = 0;
    runPositions.clear();
}

void LivePiece::end() {
    alignTail(widest);
    content.insert(content.end(), tail.begin(), tail.end());
}

/// Includes space for a metadata offset in all events if one event of the piece has metadata.
void LivePiece::useStrideFor(std::size_t firstEvent, std::size_t endEvent) {
    stride = LiveEvent::bytes + LiveProfile::bytes;
    for (std::size_t i = firstEvent; i < endEvent;) {
        const auto events = source->events(i, endEvent - i);
        if (std::ranges::any_of(events, [](const RecordedEvent& event) {
                return event.kind == EventKind::Profile && event.part != RecordedEvent::noPart;
            })) {
            stride = LiveEvent::bytes + LiveProfile::bytesWithMetadata;
            return;
        }
        i += events.size();
    }
}

void LivePiece::putRun(std::uint32_t position, std::size_t run) {
    runPositions.push_back(position);
    const std::vector<std::uint32_t> allocators = source->allocatorsOf(run);
    putTable(position, allocators.empty() ? LiveTable::Run : LiveTable::RunWithAllocators);
    putOffset(position + LiveRun::nameAt, appendRunName(source->run(run).name));
    if (!allocators.empty()) {
        putOffset(position + LiveRun::allocatorsAt, appendAllocators(allocators));
    }
}

void LivePiece::putEvents(const LiveRunPart& part, std::uint32_t at, std::uint32_t offsetsAt,
                          std::byte* offsetsTo) {
    const auto step = static_cast<std::uint32_t>(stride);
    for (std::size_t i = part.firstEvent; i < part.endEvent;) {
        const auto events = source->events(i, part.endEvent - i);
        for (const RecordedEvent& event : events) {
            flatbuffers::WriteScalar(offsetsTo, at - offsetsAt);
            putEvent(event, at);
            at += step;
            offsetsAt += offsetBytesEach;
            offsetsTo += offsetBytesEach;
        }
        i += events.size();
    }
}

void LivePiece::putEvent(const RecordedEvent& event, std::uint32_t at) {
    const std::uint32_t part = at + LiveEvent::bytes;
    putOffset(at + LiveEvent::partAt, part);
    switch (event.kind) {
        case EventKind::Profile:
            putTable(at, LiveTable::ProfileEvent);
            return putProfile(event, part);
        case EventKind::Debug:
            putTable(at, LiveTable::DebugEvent);
            return putDebug(event, part);
        case EventKind::Allocation:
            putTable(at, LiveTable::AllocationEvent);
            putTable(part, LiveTable::Allocation);
            put(part + LiveAllocation::allocatorAt, static_cast<std::int32_t>(event.start));
            put(part + LiveAllocation::sizeAt, event.end);
            return;
    }
}

void LivePiece::putProfile(const RecordedEvent& event, std::uint32_t at) {
    const core::Bytes metadata = source->metadataOf(event);
    putTable(at, metadata.empty() ? LiveTable::Profile : LiveTable::ProfileOfDelegate);
    putOffset(at + LiveProfile::nameAt, appendText(event.name));
    put(at + LiveProfile::chainAt, event.chain);
    put(at + LiveProfile::instructionAt, event.instruction);
    put(at + LiveProfile::delegateIntAt, event.delegateInt);
    putOffset(at + LiveProfile::delegateTextAt, appendText(event.delegateText));
    put(at + LiveProfile::startAt, event.start);
    put(at + LiveProfile::endAt, event.end);
    if (!metadata.empty()) {
        putOffset(at + LiveProfile::metadataAt, appendVector(metadata, false));
    }
}

void LivePiece::putDebug(const RecordedEvent& event, std::uint32_t at) {
    putTable(at, LiveTable::Debug);
    put(at + LiveDebug::instructionAt, event.instruction);
    put(at + LiveDebug::chainAt, static_cast<std::uint64_t>(std::int64_t{event.chain}));
    putOffset(at + LiveDebug::valueAt, appendValue(source->valueOf(event)));
    put(at + LiveDebug::delegateIntAt, event.delegateInt);
    putOffset(at + LiveDebug::delegateTextAt, appendText(event.delegateText));
    putOffset(at + LiveDebug::nameAt, appendText(event.name));
}

template <class Scalar>
void LivePiece::put(std::uint32_t at, Scalar value) {
    flatbuffers::WriteScalar(content.data() + (at - start), value);
}

void LivePiece::putTable(std::uint32_t at, LiveTable kind) {
    put(at, static_cast<flatbuffers::soffset_t>(at - head->vtable(kind)));
}

void LivePiece::putOffset(std::uint32_t at, std::uint32_t target) {
    put(at, target - at);
}

/// Pads the tail until its position modulo `to` is `rest`.
std::uint32_t LivePiece::alignTail(std::uint32_t to, std::uint32_t rest) {
    const std::uint32_t at = tailAt + static_cast<std::uint32_t>(tail.size());
    const std::uint32_t next = aligned(std::uint64_t{at} + to - rest, to) - to + rest;
    tail.resize(tail.size() + (next - at));
    return next;
}

std::uint32_t LivePiece::appendVector(core::Bytes elements, bool isString) {
    const std::uint32_t position = alignTail(lengthBytes);
    const std::size_t at = tail.size();
    tail.resize(at + lengthBytes + elements.size() + (isString ? 1 : 0));
    flatbuffers::WriteScalar(tail.data() + at, static_cast<std::uint32_t>(elements.size()));
    std::ranges::copy(elements, tail.begin() + static_cast<std::ptrdiff_t>(at + lengthBytes));
    return position;
}

std::uint32_t LivePiece::appendText(std::uint32_t text) {
    if (text >= texts.size()) {
        texts.resize(std::max<std::size_t>(text + 1, source->texts.size()));
    }
    TextPosition& place = texts[text];
    if (place.piece != piece) {
        place = {.piece = piece,
                 .position = appendVector(std::as_bytes(std::span(source->texts[text])), true)};
    }
    return place.position;
}

/// Runs with the same name are consecutive, so only the last name is cached.
std::uint32_t LivePiece::appendRunName(std::string_view name) {
    if (lastRunNameAt == 0 || name != lastRunName) {
        lastRunName = name;
        lastRunNameAt = appendVector(std::as_bytes(std::span(name)), true);
    }
    return lastRunNameAt;
}

/// Writes the names again: offsets point forward, and a text already in the tail precedes them.
std::uint32_t LivePiece::appendAllocators(std::span<const std::uint32_t> names) {
    const auto count = static_cast<std::uint32_t>(names.size());
    const std::uint32_t position = alignTail(lengthBytes);
    const std::uint32_t offsetsAt = position + lengthBytes;
    const std::uint32_t tablesAt = offsetsAt + count * offsetBytesEach;
    tail.resize(tail.size() + (tablesAt - position) + count * LiveAllocator::bytes);
    const auto putInTail = [&](std::uint32_t at, std::uint32_t value) {
        flatbuffers::WriteScalar(tail.data() + (at - tailAt), value);
    };
    putInTail(position, count);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t offset = offsetsAt + i * offsetBytesEach;
        const std::uint32_t table = tablesAt + i * static_cast<std::uint32_t>(LiveAllocator::bytes);
        const std::uint32_t name = table + static_cast<std::uint32_t>(LiveAllocator::nameAt);
        putInTail(offset, table - offset);
        putInTail(table, table - head->vtable(LiveTable::Allocator));
        putInTail(name, appendVector(std::as_bytes(std::span(source->texts[names[i]])), true) - name);
    }
    return position;
}

/// A nested flatbuffer, valid at any position because its offsets are relative.
std::uint32_t LivePiece::appendValue(const DebugValue& value) {
    flatbuffers::FlatBufferBuilder builder;
    builder.Finish(encodeValue(builder, value));
    const std::uint32_t position = alignTail(widest);
    const auto bytes = std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize()));
    tail.insert(tail.end(), bytes.begin(), bytes.end());
    return position + flatbuffers::ReadScalar<flatbuffers::uoffset_t>(builder.GetBufferPointer());
}

}  // namespace et::etdump::detail
