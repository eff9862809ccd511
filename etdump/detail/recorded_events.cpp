#include "etdump/detail/recorded_events.h"

#include "runtime/core/memory_pages.h"

#include <algorithm>
#include <utility>

namespace et::etdump::detail {
namespace {

/// Name of the run for events recorded before any run begins.
constexpr std::string_view implicitRun = "Default";

/// Bytes of one event in the file, including its entry in the list of events.
constexpr std::size_t eventFileBytes = 64;
constexpr std::size_t valueFileBytes = 160;

/// A larger total would fill the file, regardless of the number of events.
constexpr std::size_t maxMetadataBytes = std::size_t{1} << 30;

/// Metadata is short, so entries share blocks of memory, which never move.
constexpr std::size_t metadataPieceBytes = std::size_t{1} << 16;

}  // namespace

std::uint32_t TextTable::intern(std::string_view text) {
    const auto found = ids.find(text);
    if (found != ids.end()) {
        return found->second;
    }
    const auto id = static_cast<std::uint32_t>(texts.size());
    ids.emplace(texts.append(text), id);
    return id;
}

RecordedEvents::RecordedEvents(std::size_t limit) : max(limit) {
}

void RecordedEvents::beginRun(std::string_view name) {
    if (limitReached || size() + allRuns.size() >= max) {
        reachLimit();
        ++lost.runs;
        return;
    }
    allRuns.append(name, size(), allocators.size());
}

void RecordedEvents::endRun() {
    if (!limitReached && !allRuns.empty()) {
        completeNames.insert(allRuns.back().name);
        allRuns.back().complete.store(true, std::memory_order_release);
    }
}

std::uint32_t RecordedEvents::addAllocator(std::string_view name) {
    if (allRuns.empty()) {
        beginRun(implicitRun);
    }
    if (limitReached) {
        return 0;
    }
    allocators.append(texts.intern(name));
    return static_cast<std::uint32_t>(allocators.size() - allRuns.back().firstAllocator);
}

/// Called when the block is full, and for every event once the limit is reached.
bool RecordedEvents::addBlock() {
    if (allRuns.empty()) {
        beginRun(implicitRun);
    }
    const std::size_t used = size() + allRuns.size();
    if (limitReached || used >= max) {
        reachLimit();
        ++lost.events;
        return false;
    }
    const auto& block = blocks.append(std::make_unique_for_overwrite<RecordedEvent[]>(blockSize));
    core::takePages(std::as_writable_bytes(std::span(block.get(), blockSize)));
    next = block.get();
    blockEnd = next + std::min(blockSize, max - used);
    return true;
}

/// Drops a run that does not fit completely, unless no complete run of that name exists.
void RecordedEvents::reachLimit() {
    if (limitReached) {
        return;
    }
    limitReached = true;
    next = blockEnd = nullptr;
    if (!allRuns.empty() && !isWritten(allRuns.back())) {
        lost.events += size() - allRuns.back().firstEvent;
        ++lost.runs;
        cut.store(allRuns.back().firstEvent, std::memory_order_release);
        keptRuns.store(allRuns.size() - 1, std::memory_order_release);
    }
}

std::uint32_t RecordedEvents::addMetadata(core::Bytes bytes) {
    if (bytes.empty() || bytes.size() > maxMetadataBytes - metadataBytes) {
        return RecordedEvent::noPart;
    }
    if (bytes.size() > metadataRoom.size()) {
        const std::size_t size = std::max(metadataPieceBytes, bytes.size());
        metadataMemory.push_back(std::make_unique_for_overwrite<std::byte[]>(size));
        metadataRoom = {metadataMemory.back().get(), size};
    }
    std::ranges::copy(bytes, metadataRoom.begin());
    metadata.append(metadataRoom.first(bytes.size()));
    metadataRoom = metadataRoom.subspan(bytes.size());
    metadataBytes += bytes.size();
    return static_cast<std::uint32_t>(metadata.size() - 1);
}

std::uint32_t RecordedEvents::addValue(DebugValue value) {
    values.append(std::move(value));
    return static_cast<std::uint32_t>(values.size() - 1);
}

RecordedEvents::Counts RecordedEvents::written() const {
    Counts counts;
    for (std::size_t run = 0; run < runCount(); ++run) {
        if (isWritten(allRuns[run])) {
            ++counts.runs;
            counts.events += endOf(run) - allRuns[run].firstEvent;
        }
    }
    return counts;
}

/// The order of the reads keeps the result consistent: all events of a run seen as complete are included, and
/// so is the run of every included event.
RecordedPart RecordedEvents::published() const {
    RecordedPart part{.runs = runCount(), .events = 0, .lastIsComplete = false};
    if (part.runs == 0) {
        return part;
    }
    part.lastIsComplete = allRuns[part.runs - 1].complete.load(std::memory_order_acquire);
    part.events = size();
    if (runCount() > part.runs) {
        part.events = allRuns[part.runs].firstEvent;
        part.lastIsComplete = allRuns[part.runs - 1].complete.load(std::memory_order_acquire);
    }
    return part;
}

std::vector<std::uint32_t> RecordedEvents::allocatorsOf(std::size_t run) const {
    std::size_t end = allocators.size();  // read first: if it includes events of the next run, that run is
                                          // visible too
    if (run + 1 < allRuns.size()) {
        end = allRuns[run + 1].firstAllocator;
    }
    std::vector<std::uint32_t> found;
    for (std::size_t i = allRuns[run].firstAllocator; i < end; ++i) {
        found.push_back(allocators[i]);
    }
    return found;
}

std::size_t RecordedEvents::expectedFileBytes() const {
    constexpr std::size_t rest = 4096;
    return rest + size() * eventFileBytes + values.size() * valueFileBytes + metadataBytes;
}

std::size_t RecordedEvents::endOf(std::size_t run) const {
    return run + 1 < runCount() ? allRuns[run + 1].firstEvent : size();
}

void RecordedEvents::writeTo(TraceWriter& writer) const {
    std::vector<TextId> ids;
    for (std::uint32_t i = 0; i < texts.size(); ++i) {
        ids.push_back(writer.text(texts[i]));
    }
    for (std::size_t run = 0; run < runCount(); ++run) {
        if (!isWritten(allRuns[run])) {
            continue;
        }
        writer.beginRun(allRuns[run].name);
        for (const std::uint32_t allocator : allocatorsOf(run)) {
            writer.addAllocator(texts[allocator]);
        }
        for (std::size_t i = allRuns[run].firstEvent, end = endOf(run); i < end;) {
            const auto following = events(i, end - i);
            for (const RecordedEvent& event : following) {
                writeEvent(writer, event, ids);
            }
            i += following.size();
        }
    }
}

void RecordedEvents::writeEvent(TraceWriter& writer, const RecordedEvent& event,
                                std::span<const TextId> ids) const {
    const WrittenIds written{.instruction = event.instruction,
                             .chain = event.chain,
                             .delegateInt = event.delegateInt,
                             .delegateString = ids[event.delegateText]};
    switch (event.kind) {
        case EventKind::Profile:
            return writer.profile(ids[event.name], written, event.start, event.end, metadataOf(event));
        case EventKind::Debug:
            return writer.debug(ids[event.name], written, valueOf(event));
        case EventKind::Allocation:
            return writer.allocation(static_cast<std::uint32_t>(event.start), event.end);
    }
}

}  // namespace et::etdump::detail
