#include "etdump/detail/recorded_events.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace et::etdump::detail {
namespace {

/// Name of the run that events get which come before any run.
constexpr std::string_view implicitRun = "Default";

/// Of one event in the file, with its place in the list of events.
constexpr std::size_t eventFileBytes = 64;
constexpr std::size_t valueFileBytes = 160;

/// Has the system give pages now, all at once: one by one, when events first touch them, they would cost each
/// run several times as much.
void touch(std::span<std::byte> memory) {
#ifdef MADV_POPULATE_WRITE
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<std::uintptr_t>(memory.data());
    const std::uintptr_t first = (begin + page - 1) / page * page;
    const std::uintptr_t end = (begin + memory.size()) / page * page;
    if (first < end) {
        // Where the kernel does not know how, they come one by one.
        static_cast<void>(::madvise(memory.data() + (first - begin), end - first, MADV_POPULATE_WRITE));
    }
#else
    static_cast<void>(memory);
#endif
}

/// More than that fills the file, however few the events.
constexpr std::size_t maxMetadataBytes = std::size_t{1} << 30;

}  // namespace

std::uint32_t TextTable::intern(std::string_view text) {
    const auto found = ids.find(text);
    if (found != ids.end()) {
        return found->second;
    }
    const auto id = static_cast<std::uint32_t>(texts.size());
    ids.emplace(texts.emplace_back(text), id);
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
    allRuns.push_back({.name = std::string(name), .firstEvent = size(), .allocators = {}, .complete = false});
}

void RecordedEvents::endRun() {
    if (!limitReached && !allRuns.empty()) {
        allRuns.back().complete = true;
        completeNames.insert(allRuns.back().name);
    }
}

std::uint32_t RecordedEvents::addAllocator(std::string_view name) {
    if (allRuns.empty()) {
        beginRun(implicitRun);
    }
    if (limitReached) {
        return 0;
    }
    auto& allocators = allRuns.back().allocators;
    allocators.push_back(texts.intern(name));
    return static_cast<std::uint32_t>(allocators.size());
}

/// Called where the block is full, and for every event once the limit is reached.
RecordedEvent* RecordedEvents::addBlock() {
    if (allRuns.empty()) {
        beginRun(implicitRun);
    }
    if (const std::size_t used = size() + allRuns.size(); limitReached || used >= max) {
        reachLimit();
        ++lost.events;
        return nullptr;
    } else {
        blocks.push_back(std::make_unique_for_overwrite<RecordedEvent[]>(blockSize));
        touch(std::as_writable_bytes(std::span(blocks.back().get(), blockSize)));
        next = blocks.back().get();
        blockEnd = next + std::min(blockSize, max - used);
    }
    return next++;
}

/// A run that does not fit whole goes, unless there is no whole one to show for it.
void RecordedEvents::reachLimit() {
    if (limitReached) {
        return;
    }
    cut = size();
    limitReached = true;
    next = blockEnd = nullptr;
    if (!allRuns.empty() && !isWritten(allRuns.back())) {
        lost.events += cut - allRuns.back().firstEvent;
        ++lost.runs;
        cut = allRuns.back().firstEvent;
        allRuns.pop_back();
    }
}

std::uint32_t RecordedEvents::addMetadata(core::Bytes bytes) {
    if (bytes.empty() || bytes.size() > maxMetadataBytes - metadataBytes.size()) {
        return RecordedEvent::noPart;
    }
    metadata.push_back({.offset = metadataBytes.size(), .size = bytes.size()});
    metadataBytes.insert(metadataBytes.end(), bytes.begin(), bytes.end());
    return static_cast<std::uint32_t>(metadata.size() - 1);
}

std::uint32_t RecordedEvents::addValue(DebugValue value) {
    values.push_back(std::move(value));
    return static_cast<std::uint32_t>(values.size() - 1);
}

std::size_t RecordedEvents::size() const {
    if (limitReached) {
        return cut;
    }
    return blocks.empty()
               ? 0
               : (blocks.size() - 1) * blockSize + static_cast<std::size_t>(next - blocks.back().get());
}

RecordedEvents::Counts RecordedEvents::written() const {
    Counts counts;
    for (std::size_t run = 0; run < allRuns.size(); ++run) {
        if (isWritten(allRuns[run])) {
            ++counts.runs;
            counts.events += endOf(run) - allRuns[run].firstEvent;
        }
    }
    return counts;
}

std::size_t RecordedEvents::expectedFileBytes() const {
    constexpr std::size_t rest = 4096;
    return rest + size() * eventFileBytes + values.size() * valueFileBytes + metadataBytes.size();
}

std::size_t RecordedEvents::endOf(std::size_t run) const {
    return run + 1 < allRuns.size() ? allRuns[run + 1].firstEvent : size();
}

void RecordedEvents::writeTo(TraceWriter& writer) const {
    std::vector<TextId> ids;
    for (std::uint32_t i = 0; i < texts.size(); ++i) {
        ids.push_back(writer.text(texts[i]));
    }
    for (std::size_t run = 0; run < allRuns.size(); ++run) {
        if (!isWritten(allRuns[run])) {
            continue;
        }
        writer.beginRun(allRuns[run].name);
        for (const std::uint32_t allocator : allRuns[run].allocators) {
            writer.addAllocator(texts[allocator]);
        }
        for (std::size_t i = allRuns[run].firstEvent; i < endOf(run); ++i) {
            writeEvent(writer, blocks[i / blockSize][i % blockSize], ids);
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
        case EventKind::Profile: {
            core::Bytes bytes;
            if (event.part != RecordedEvent::noPart) {
                const Metadata& part = metadata[event.part];
                bytes = core::Bytes(metadataBytes).subspan(part.offset, part.size);
            }
            return writer.profile(ids[event.name], written, event.start, event.end, bytes);
        }
        case EventKind::Debug:
            return writer.debug(ids[event.name], written, values[event.part]);
        case EventKind::Allocation:
            return writer.allocation(static_cast<std::uint32_t>(event.start), event.end);
    }
}

}  // namespace et::etdump::detail
