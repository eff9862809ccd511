#include "inspector/memory/measured_memory.h"

#include "inspector/join/instruction_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace et::inspector {

std::vector<AllocatorUse> collectAllocations(const EventBlocks& blocks, const program::Method& method,
                                             bool onlyMethod) {
    struct Found {
        AllocatorUse use;
        const etdump::Run* lastRun = nullptr;
    };
    const etdump::Trace& trace = blocks.trace();
    std::map<std::string, Found> byName;
    for (const Block& block : blocks.blocks()) {
        if (!join::detail::isOf(block, method, onlyMethod)) {
            continue;
        }
        for (const etdump::EventIndex event : block.allocations) {
            const etdump::Run& run = trace.runOf(event);
            const std::uint64_t id = trace.events().start[event];
            const std::string_view known = trace.text(run.allocatorName(id));
            if (executor::parseAllocator(known)) {
                continue;
            }
            const std::string name = known.empty() ? fmt::format("allocator {}", id) : std::string(known);
            auto& [use, lastRun] = byName[name];
            use.name = name;
            ++use.allocations;
            use.bytes += trace.events().end[event];
            use.runs += lastRun == &run ? 0 : 1;
            lastRun = &run;
        }
    }
    std::vector<AllocatorUse> out;
    for (auto& [name, found] : byName) {
        out.push_back(std::move(found.use));
    }
    std::ranges::stable_sort(out, std::ranges::greater{}, &AllocatorUse::bytes);
    return out;
}

std::vector<MeasuredBytes> measuredMemory(const etdump::Trace& trace, const program::Method& method) {
    std::map<std::pair<executor::MemoryKind, std::size_t>, std::uint64_t> found;
    for (const etdump::Run& run : trace.runs()) {
        for (std::size_t i = run.firstEvent; i < std::size_t{run.firstEvent} + run.eventCount; ++i) {
            if (trace.events().kind[i] != etdump::EventKind::Allocation) {
                continue;
            }
            const auto from =
                executor::parseAllocator(trace.text(run.allocatorName(trace.events().start[i])));
            if (!from || (from->kind != executor::MemoryKind::ProcessPeak && from->method != method.name)) {
                continue;
            }
            std::uint64_t& bytes = found[{from->kind, from->number}];
            const std::uint64_t more = trace.events().end[i];
            bytes = from->kind == executor::MemoryKind::ProcessPeak ? std::max(bytes, more) : bytes + more;
        }
    }
    std::vector<MeasuredBytes> out;
    for (const auto& [place, bytes] : found) {
        out.push_back({.kind = place.first, .number = place.second, .bytes = bytes});
    }
    return out;
}

std::string describe(const MeasuredBytes& measured) {
    const executor::MemoryKindInfo& kind = executor::traits(measured.kind);
    return kind.isNumbered ? fmt::format("{} {}", kind.text, measured.number) : std::string(kind.text);
}

std::optional<std::uint64_t> bytesOf(std::span<const MeasuredBytes> measured, executor::MemoryKind kind,
                                     std::size_t number) {
    const auto found = std::ranges::find_if(
        measured, [&](const MeasuredBytes& each) { return each.kind == kind && each.number == number; });
    return found == measured.end() ? std::nullopt : std::optional(found->bytes);
}

}  // namespace et::inspector
