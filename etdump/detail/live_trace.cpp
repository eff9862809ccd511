#include "etdump/detail/live_trace.h"

#include "etdump/schema/etdump_generated.h"

#include <flatbuffers/flatbuffers.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace et::etdump::detail {
namespace {

using core::Result;

constexpr std::size_t wordBytes = sizeof(std::uint32_t);

/// Size of one piece: fits the processor's cache.
constexpr std::size_t pieceEvents = std::size_t{1} << 14;
constexpr std::size_t pieceRuns = std::size_t{1} << 12;

/// Capacity for runs: at least the first value, or a multiple of the current number. Unused capacity is a
/// hole in the file and uses no disk space.
constexpr std::size_t leastCapacity = std::size_t{1} << 16;
constexpr std::size_t mostCapacity = std::size_t{1} << 25;
constexpr std::size_t capacityFactor = 64;

/// Capacity for events of a run in progress: at least the first value, or a multiple of the current number.
constexpr std::size_t leastRoom = std::size_t{1} << 14;
constexpr std::size_t roomFactor = 8;

constexpr std::uint64_t alignedPosition(std::uint64_t position) {
    constexpr std::uint64_t widestScalar = 8;
    return (position + widestScalar - 1) / widestScalar * widestScalar;
}

core::Error tooLarge() {
    return {core::ErrorCode::Limit, "expected a trace of less than 2 GiB, got more events than fit", {}};
}

}  // namespace

bool LiveTrace::isComplete(std::size_t run, const RecordedPart& part) const {
    return run + 1 < part.runs ? source->run(run).complete.load() : part.lastIsComplete;
}

LiveRunPart LiveTrace::partOf(std::size_t run, const RecordedPart& part) const {
    return {.run = run,
            .firstEvent = source->run(run).firstEvent,
            .endEvent = run + 1 < part.runs ? source->run(run + 1).firstEvent : part.events};
}

/// End of the runs to write; a short run in progress is not worth writing.
std::size_t LiveTrace::endOfRuns(const RecordedPart& part) const {
    if (part.runs == 0 || part.lastIsComplete) {
        return part.runs;
    }
    const LiveRunPart last = partOf(part.runs - 1, part);
    return last.firstEvent == last.endEvent || part.runs > seenRuns ? part.runs - 1 : part.runs;
}

bool LiveTrace::hasGrown(const LastRun& run, const RecordedPart& part) const {
    return run.run < part.runs && (partOf(run.run, part).endEvent != run.endEvent ||
                                   source->allocatorsOf(run.run).size() != run.allocators);
}

bool LiveTrace::wants(const RecordedPart& part) const {
    return endOfRuns(part) > nextRun || (last && hasGrown(*last, part));
}

/// An aborted run is written only if no run of that name was completed before.
bool LiveTrace::isWanted(std::size_t run, const RecordedPart& part) {
    const std::string& name = source->run(run).name;
    if (isComplete(run, part)) {
        completeNames.insert(name);
        return true;
    }
    return run + 1 == part.runs || !completeNames.contains(name);
}

Result<> LiveTrace::save(const RecordedPart& part, const std::atomic<bool>& stop) {
    const std::size_t more = part.runs - std::min(nextRun, part.runs);
    if (!opened || published + more > capacity) {
        ET_TRY(begin(part));
    }
    ET_TRY(growLast(part, stop));
    ET_TRY(addRuns(part, stop));
    replaces = false;
    return publish();
}

Result<> LiveTrace::begin(const RecordedPart& part) {
    replaces = opened.has_value();
    ET_ASSIGN(opened, core::FileReplacement::open(file));
    capacity = std::min({std::max(leastCapacity, capacityFactor * part.runs), mostCapacity, source->limit()});
    if (part.runs > capacity) {
        return std::unexpected(tooLarge());
    }
    ET_TRY(writeAt(0, head.bytes()));
    end = alignedPosition(slotAt(capacity));
    published = 0;
    nextRun = 0;
    last.reset();
    completeNames.clear();
    return {};
}

Result<> LiveTrace::growLast(const RecordedPart& part, const std::atomic<bool>& stop) {
    if (!last || !hasGrown(*last, part)) {
        return {};
    }
    LiveRunPart grown = partOf(last->run, part);
    const std::size_t events = grown.endEvent - grown.firstEvent;
    if (events > last->room || source->allocatorsOf(last->run).size() != last->allocators) {
        return addOpenRun(grown, last->slot, !isComplete(last->run, part), stop);
    }
    grown.firstEvent = last->endEvent;
    return addEvents(grown, true, stop);
}

Result<> LiveTrace::addRuns(const RecordedPart& part, const std::atomic<bool>& stop) {
    std::vector<LiveRunPart> batch;
    std::size_t batchEvents = 0;
    for (const std::size_t endRun = endOfRuns(part); nextRun < endRun; ++nextRun) {
        if (!isWanted(nextRun, part)) {
            continue;
        }
        const LiveRunPart run = partOf(nextRun, part);
        const std::size_t events = run.endEvent - run.firstEvent;
        const bool mayGrow = nextRun + 1 == part.runs && !part.lastIsComplete;
        if (batchEvents + events > pieceEvents || batch.size() == pieceRuns || mayGrow) {
            ET_TRY(addBatch(batch, stop));
            batchEvents = 0;
        }
        if (mayGrow || events > pieceEvents) {
            const std::size_t slot = published + newSlots.size() / wordBytes;
            newSlots.resize(newSlots.size() + wordBytes);
            ET_TRY(addOpenRun(run, slot, mayGrow, stop));
        } else {
            batch.push_back(run);
            batchEvents += events;
        }
    }
    return addBatch(batch, stop);
}

Result<> LiveTrace::addBatch(std::vector<LiveRunPart>& batch, const std::atomic<bool>& stop) {
    if (batch.empty()) {
        return {};
    }
    piece.makeRuns(static_cast<std::uint32_t>(end), batch);
    ET_TRY(appendPiece(stop));
    for (const std::uint32_t position : piece.runsAt()) {
        const std::uint64_t slot = slotAt(published + newSlots.size() / wordBytes);
        newSlots.resize(newSlots.size() + wordBytes);
        flatbuffers::WriteScalar(newSlots.data() + newSlots.size() - wordBytes,
                                 static_cast<std::uint32_t>(position - slot));
    }
    const LiveRunPart& run = batch.back();
    last = LastRun{.run = run.run,
                   .slot = published + newSlots.size() / wordBytes - 1,
                   .lengthAt = 0,
                   .room = run.endEvent - run.firstEvent,
                   .endEvent = run.endEvent,
                   .allocators = source->allocatorsOf(run.run).size()};
    batch.clear();
    return publishPart();
}

/// Writes a run in its own pieces, in a new slot or in place of the run in a published slot.
Result<> LiveTrace::addOpenRun(const LiveRunPart& run, std::size_t slot, bool mayGrow,
                               const std::atomic<bool>& stop) {
    const std::size_t events = run.endEvent - run.firstEvent;
    const std::size_t allocators = source->allocatorsOf(run.run).size();
    piece.makeOpenRun(static_cast<std::uint32_t>(end), run.run);
    const auto offset = static_cast<std::uint32_t>(end - slotAt(slot));
    ET_TRY(appendPiece(stop));
    last = LastRun{
        .run = run.run,
        .slot = slot,
        .lengthAt = static_cast<std::uint32_t>(end - wordBytes),
        .room = mayGrow ? std::min(std::max(leastRoom, roomFactor * events), source->limit()) : events,
        .endEvent = run.firstEvent,
        .allocators = allocators};
    end = alignedPosition(end + last->room * wordBytes);
    const bool isNew = slot >= published;
    if (isNew) {
        flatbuffers::WriteScalar(newSlots.data() + (slot - published) * wordBytes, offset);
    }
    ET_TRY(addEvents(run, isNew, stop));
    if (!isNew) {
        words.push_back({.at = slotAt(slot), .value = offset});
    }
    return {};
}

/// Appends events to the last run.
Result<> LiveTrace::addEvents(LiveRunPart events, bool visibly, const std::atomic<bool>& stop) {
    const std::size_t firstOfRun = source->run(events.run).firstEvent;
    while (events.firstEvent < events.endEvent) {
        LiveRunPart some = events;
        some.endEvent = std::min(events.endEvent, events.firstEvent + pieceEvents);
        const std::uint64_t offsetsAt =
            last->lengthAt + wordBytes + (some.firstEvent - firstOfRun) * wordBytes;
        piece.makeEvents(static_cast<std::uint32_t>(end), some, static_cast<std::uint32_t>(offsetsAt));
        ET_TRY(appendPiece(stop));
        ET_TRY(writeAt(offsetsAt, piece.offsets()));
        events.firstEvent = last->endEvent = some.endEvent;
        words.push_back(
            {.at = last->lengthAt, .value = static_cast<std::uint32_t>(some.endEvent - firstOfRun)});
        if (visibly) {
            ET_TRY(publishPart());
        }
    }
    return {};
}

/// Each write leaves a valid file: first bytes that nothing references, then extended or moved data, then the
/// new runs.
Result<> LiveTrace::publish() {
    ET_TRY(writeWord({.at = 0, .value = static_cast<std::uint32_t>(end - wordBytes)}));
    for (const Word& word : words) {
        ET_TRY(writeWord(word));
    }
    words.clear();
    if (!newSlots.empty()) {
        ET_TRY(writeAt(slotAt(published), newSlots));
        published += newSlots.size() / wordBytes;
        newSlots.clear();
        ET_TRY(writeWord({.at = head.runsAt(), .value = static_cast<std::uint32_t>(published)}));
    }
    return opened->publish();
}

/// Publishes each piece, because many events can arrive at once; but a new file does not replace one that has
/// more.
Result<> LiveTrace::publishPart() {
    return replaces ? Result<>() : publish();
}

std::uint64_t LiveTrace::slotAt(std::size_t slot) const {
    return head.runsAt() + wordBytes + slot * wordBytes;
}

Result<> LiveTrace::appendPiece(const std::atomic<bool>& stop) {
    if (stop.load()) {
        return core::fail(core::ErrorCode::Cancelled, "the trace is complete");
    }
    if (end + piece.bytes().size() > FLATBUFFERS_MAX_BUFFER_SIZE) {
        return std::unexpected(tooLarge());
    }
    ET_TRY(writeAt(end, piece.bytes()));
    end += piece.bytes().size();
    return {};
}

Result<> LiveTrace::writeAt(std::uint64_t position, core::Bytes bytes) const {
    while (!bytes.empty()) {
        const ssize_t written =
            ::pwrite(opened->descriptor(), bytes.data(), bytes.size(), static_cast<off_t>(position));
        if (written < 0 && errno != EINTR) {
            return std::unexpected(core::systemError("cannot write", errno, file.string()));
        }
        const std::size_t done = written < 0 ? 0 : static_cast<std::size_t>(written);
        bytes = bytes.subspan(done);
        position += done;
    }
    return {};
}

Result<> LiveTrace::writeWord(const Word& word) const {
    std::array<std::byte, wordBytes> bytes{};
    flatbuffers::WriteScalar(bytes.data(), word.value);
    return writeAt(word.at, bytes);
}

}  // namespace et::etdump::detail
