#include "inspector/join/block_builder.h"

#include "runtime/core/memory_pages.h"
#include "runtime/core/scalar_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace et::inspector::join::detail {
namespace {

using etdump::DebugTensor;
using etdump::DebugValue;
using etdump::EventIndex;

/// "run_data[3].events[7]"
std::string placeOf(const etdump::Trace& trace, EventIndex event) {
    const auto runs = trace.runs();
    const auto run = std::ranges::find_if(runs, [event](const etdump::Run& candidate) {
        return event >= candidate.firstEvent && event - candidate.firstEvent < candidate.eventCount;
    });
    return run == runs.end()
               ? fmt::format("event {}", event)
               : fmt::format("run_data[{}].events[{}]", run - runs.begin(), event - run->firstEvent);
}

}  // namespace

std::optional<double> Clock::wrapped(std::uint64_t start, std::uint64_t end, bool delegated) const {
    constexpr std::uint64_t last = 0xFFFF'FFFF;
    if (quirks && delegated) {
        // The reference checks for the wrap-around after scaling, so its limit is in the wrong unit.
        if (scaled(start) > static_cast<double>(last)) {
            return std::nullopt;
        }
        return (static_cast<double>(last) - scaled(start)) + scaled(end);
    }
    const std::optional<std::uint64_t> ticks = etdump::elapsedTicks(start, end);
    if (!ticks) {
        return std::nullopt;
    }
    return scaled(quirks ? *ticks - 1 : *ticks);
}

DebugComparison::DebugComparison(const etdump::Trace& source, const core::MappedFile* debugBuffer)
    // The runtime never logs a byte twice, so all comparisons together read the buffer at most once; the
    // factor 2 allows for a shared list. Only a damaged file exceeds it.
    : trace(source),
      buffer(debugBuffer),
      budget(debugBuffer == nullptr ? 0 : 2 * debugBuffer->bytes().size()) {
}

bool DebugComparison::same(std::span<const etdump::EventIndex> a, std::span<const etdump::EventIndex> b) {
    return std::ranges::equal(a, b, [this](etdump::EventIndex left, etdump::EventIndex right) {
        return sameValue(trace.debugValue(left), trace.debugValue(right));
    });
}

std::optional<std::string> DebugComparison::complaint() const {
    if (outside == 0) {
        return std::nullopt;
    }
    return fmt::format(
        "the debug buffer {} does not contain {} of the tensors that the trace logged; the first is at "
        "offset {}",
        core::printable(buffer->name()), outside, firstOutside);
}

bool DebugComparison::sameValue(const DebugValue& a, const DebugValue& b) {
    if (a.value.index() != b.value.index()) {
        return false;
    }
    return std::visit(
        [this, &b](const auto& left) {
            using T = std::decay_t<decltype(left)>;
            const auto& right = std::get<T>(b.value);
            if constexpr (std::is_same_v<T, DebugTensor>) {
                return sameTensor(left, right);
            } else if constexpr (std::is_same_v<T, std::vector<DebugTensor>>) {
                return std::ranges::equal(left, right, [this](const DebugTensor& x, const DebugTensor& y) {
                    return sameTensor(x, y);
                });
            } else if constexpr (std::is_floating_point_v<T>) {
                // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): compares bits
                return std::memcmp(&left, &right, sizeof(T)) == 0;  // NaN equals NaN
            } else {
                return left == right;
            }
        },
        a.value);
}

bool DebugComparison::sameTensor(const DebugTensor& a, const DebugTensor& b) {
    if (a.scalarType != b.scalarType || a.sizes != b.sizes) {
        return false;
    }
    const auto left = bytesOf(a);
    const auto right = bytesOf(b);
    if (!left || !right || left->data() == right->data() || budget < left->size()) {
        return true;  // no data to distinguish them
    }
    budget -= left->size();
    return std::ranges::equal(*left, *right);
}

std::optional<core::Bytes> DebugComparison::bytesOf(const DebugTensor& tensor) {
    const auto size = core::tensorBytes(tensor.scalarType, tensor.sizes);
    if (buffer == nullptr || !size || *size == 0) {
        return std::nullopt;  // an empty tensor is logged without an offset
    }
    const std::uint64_t available = buffer->bytes().size();
    const auto begin = static_cast<std::uint64_t>(tensor.offset);
    const auto wanted = static_cast<std::uint64_t>(*size);
    if (tensor.offset < 0 || begin > available || wanted > available - begin) {
        firstOutside = outside++ == 0 ? tensor.offset : firstOutside;
        return std::nullopt;
    }
    return buffer->bytes().subspan(begin, wanted);
}

BlockBuilder::BlockBuilder(const etdump::Trace& source, const RunGroups& runGroups, const JoinOptions& join,
                           const core::MappedFile* debugBuffer, BlockStorage& store)
    : trace(source),
      groups(runGroups),
      options(join),
      storage(store),
      clock(join),
      comparison(source, debugBuffer),
      // Shared lists contain every event once; the rest is for runs of one block that collate differently.
      debugEventsLeft(4 * source.eventCount() + 1024) {
    reserveSamples();
}

core::Result<Block> BlockBuilder::build(const RunGroup& group) {
    Block block;
    block.name = trace.text(group.name);
    block.bundledInputIndex = group.bundledInputIndex;
    block.phase = group.phase;
    block.runs = group.runs;
    const RunShape& shape = groups.shapes[group.shapes.front()];
    core::reserveHuge(block.events, shape.slots.size());
    SharedDebug shared;
    for (std::size_t row = 0; row < shape.slots.size(); ++row) {
        Event& event = block.events.emplace_back(identityOf(shape.slots[row]));
        if (shape.slots[row].signature.hasProfile) {
            ET_TRY(addSamples(event, group, row));
        }
        if (shape.slots[row].signature.hasDebug) {
            ET_TRY(addDebug(event, group, row, shared));
        }
    }
    addRunLists(block, group);
    return block;
}

/// The arrays must not be reallocated once an event points into them.
void BlockBuilder::reserveSamples() {
    std::size_t count = 0;
    for (const RunGroup& group : groups.groups) {
        for (const std::uint32_t shape : group.shapes) {
            count += options.everyRepeat
                         ? groups.shapes[shape].profile.size()
                         : std::min(groups.shapes[shape].slots.size(), groups.shapes[shape].profile.size());
        }
    }
    core::reserveHuge(storage.samples, count);
    core::reserveHuge(storage.startTicks, count);
    core::reserveHuge(storage.profileEvents, count);
}

Event BlockBuilder::identityOf(const Slot& slot) {
    const Signature& row = slot.signature;
    Event event;
    event.instruction = core::InstructionId(row.instruction);
    event.chain = slot.chain;
    if (row.delegateInt != -1) {
        event.delegateInt = row.delegateInt;
        event.name = storage.texts.emplace_back(std::to_string(row.delegateInt));
    } else if (row.delegateString != etdump::noName) {
        event.delegateString = trace.text(row.delegateString);
        event.name = *event.delegateString;
    } else {
        event.name = trace.text(row.debugName == etdump::noName ? row.profileName : row.debugName);
    }
    event.delegated = event.delegateInt || event.delegateString;
    return event;
}

std::span<const std::uint32_t> BlockBuilder::sampled(const RunShape& shape, const Slot& slot) const {
    const auto every =
        std::span(shape.profile).subspan(slot.profileBegin, slot.profileEnd - slot.profileBegin);
    return options.everyRepeat ? every : every.last(1);
}

core::Result<> BlockBuilder::addSamples(Event& event, const RunGroup& group, std::size_t row) {
    const std::size_t begin = storage.samples.size();
    for (std::size_t i = 0; i < group.runs.size(); ++i) {
        const RunShape& shape = groups.shapes[group.shapes[i]];
        const Slot& slot = shape.slots[row];
        const auto positions = sampled(shape, slot);
        event.droppedRepeats +=
            slot.profileEnd - slot.profileBegin - static_cast<std::uint32_t>(positions.size());
        const EventIndex first = trace.runs()[group.runs[i]].firstEvent;
        for (const std::uint32_t position : positions) {
            ET_TRY(addSample(event, first + position));
        }
    }
    event.samples = std::span(storage.samples).subspan(begin);
    event.startTicks = std::span(storage.startTicks).subspan(begin);
    event.profileEvents = std::span(storage.profileEvents).subspan(begin);
    event.statistics = summarize(event.samples);
    return {};
}

core::Result<> BlockBuilder::addSample(const Event& event, EventIndex index) {
    const std::uint64_t start = trace.events().start[index];
    const std::uint64_t end = trace.events().end[index];
    const std::optional<double> duration = clock.duration(start, end, event.delegated);
    if (!duration) {
        return core::fail(
            core::ErrorCode::Format,
            fmt::format("\"{}\" ends at {}, before it starts at {}, on a clock that is wider than 32 bits",
                        event.name, end, start),
            {.file = trace.file().name(), .field = placeOf(trace, index), .offset = {}});
    }
    storage.samples.push_back(*duration);
    storage.startTicks.push_back(start);
    storage.profileEvents.push_back(index);
    return {};
}

core::Result<> BlockBuilder::addDebug(Event& event, const RunGroup& group, std::size_t row,
                                      SharedDebug& shared) {
    std::vector<std::uint32_t> key;
    for (std::size_t i = 0; i < group.shapes.size(); ++i) {
        if (i == 0 || group.shapes[i] != group.shapes[i - 1]) {
            key.push_back(groups.shapes[group.shapes[i]].slots[row].debugBegin);
        }
    }
    const auto [known, isNew] = shared.try_emplace(std::move(key), nullptr);
    if (isNew) {
        ET_ASSIGN(known->second, newDebugList(group, row));
    }
    event.debugEvents = known->second->events;
    event.firstRunDebugEvents = known->second->firstRun;
    event.debugDiffers = known->second->differs;
    return {};
}

core::Result<const DebugList*> BlockBuilder::newDebugList(const RunGroup& group, std::size_t row) {
    DebugList list;
    for (std::size_t i = 0; i < group.runs.size(); ++i) {
        const RunShape& shape = groups.shapes[group.shapes[i]];
        const Slot& slot = shape.slots[row];
        const std::size_t count = slot.debugEnd - slot.debugBegin;
        if (count > debugEventsLeft) {
            return core::fail(core::ErrorCode::Limit,
                              "more debug events for one instruction than the trace can hold",
                              {.file = trace.file().name(), .field = {}, .offset = {}});
        }
        debugEventsLeft -= count;
        append(list, std::span(shape.debug).subspan(slot.debugBegin, count),
               trace.runs()[group.runs[i]].firstEvent);
    }
    return &storage.debugLists.emplace_back(std::move(list));
}

/// Adds the debug events of one run and compares them with those of the first run that has any.
void BlockBuilder::append(DebugList& list, std::span<const std::uint32_t> positions, EventIndex first) {
    const std::size_t begin = list.events.size();
    for (const std::uint32_t position : positions) {
        list.events.push_back(first + position);
    }
    const auto all = std::span(std::as_const(list.events));
    if (list.firstRun == 0) {
        list.firstRun = all.size();
    } else if (!list.differs) {
        list.differs = !comparison.same(all.first(list.firstRun), all.subspan(begin));
    }
}

void BlockBuilder::addRunLists(Block& block, const RunGroup& group) {
    DebugList outputs;
    for (std::size_t i = 0; i < group.runs.size(); ++i) {
        const RunShape& shape = groups.shapes[group.shapes[i]];
        const EventIndex first = trace.runs()[group.runs[i]].firstEvent;
        append(outputs, shape.outputs, first);
        for (const std::uint32_t position : shape.allocations) {
            block.allocations.push_back(first + position);
        }
    }
    block.programOutputs = std::move(outputs.events);
    block.firstRunOutputs = outputs.firstRun;
    block.outputsDiffer = outputs.differs;
}

}  // namespace et::inspector::join::detail
