#include "visualizers/timeline/timeline_counters.h"

#include "inspector/format/quantities.h"
#include "runtime/executor/allocators.h"

#include <fmt/format.h>

#include <algorithm>

namespace et::visualizers {

namespace {

/// Excludes the process's peak resident set size, which is recorded like an allocation.
bool isAllocation(const etdump::Trace& trace, const etdump::Run& run, std::uint64_t allocator) {
    const auto known = executor::parseAllocator(trace.text(run.allocatorName(allocator)));
    return !known || known->kind != executor::MemoryKind::ProcessPeak;
}

/// Start of the first profile event of a run, used for allocations before it.
std::uint64_t startOf(const etdump::EventColumns& events, const etdump::Run& run, std::uint64_t otherwise) {
    for (std::size_t i = run.firstEvent; i < run.firstEvent + run.eventCount; ++i) {
        if (events.kind[i] == etdump::EventKind::Profile) {
            return events.start[i];
        }
    }
    return otherwise;
}

}  // namespace

std::uint64_t TimelineCounter::at(double time) const {
    const auto after = std::ranges::upper_bound(
        steps, time, {}, [](const Step& step) { return static_cast<double>(step.time); });
    return after == steps.begin() ? 0 : std::prev(after)->value;
}

std::vector<TimelineCounter> makeCounters(const Timeline& timeline) {
    const etdump::Trace& trace = timeline.blocks->trace();
    const etdump::EventColumns& events = trace.events();
    TimelineCounter counter;
    std::uint64_t now = timeline.origin;
    for (const etdump::Run& run : trace.runs()) {
        now = std::max(now, startOf(events, run, now));
        for (std::size_t i = run.firstEvent; i < run.firstEvent + run.eventCount; ++i) {
            if (events.kind[i] == etdump::EventKind::Profile) {
                now = std::max(now, events.end[i]);
            } else if (events.kind[i] == etdump::EventKind::Allocation &&
                       isAllocation(trace, run, events.start[i])) {
                counter.peak += std::min(events.end[i], ~std::uint64_t{0} - counter.peak);
                const std::uint64_t time = now - timeline.origin;
                if (counter.steps.empty() || counter.steps.back().time != time) {
                    counter.steps.push_back({.time = time});
                }
                counter.steps.back().value = counter.peak;
            }
        }
    }
    if (counter.peak == 0) {
        return {};
    }
    counter.title =
        fmt::format("Allocated so far, {} in total", inspector::format::readableBytes(counter.peak));
    return {std::move(counter)};
}

}  // namespace et::visualizers
