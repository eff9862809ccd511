#include "inspector/events/slices.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace et::inspector::events {
namespace {

constexpr std::uint64_t wrap = std::uint64_t{1} << 32U;

bool isDelegated(const etdump::Trace& trace, etdump::EventIndex event) {
    const etdump::EventColumns& columns = trace.events();
    return columns.delegateInt[event] != -1 || !trace.text(columns.delegateString[event]).empty();
}

/// Orders by start. If slices start together, the longer one comes first; if they are equal, the one logged
/// last, because events are appended when they end. Delegated operators of zero duration precede one that
/// took time, because they run in sequence.
bool sliceComesBefore(const Slice& a, const Slice& b) {
    const auto instant = [](const Slice& slice) { return slice.delegated && slice.start == slice.end; };
    if (a.start != b.start || a.delegated != b.delegated || instant(a) != instant(b)) {
        return std::tuple(a.start, a.delegated, !instant(a)) < std::tuple(b.start, b.delegated, !instant(b));
    }
    return instant(a) ? a.event < b.event : std::tuple(b.end, b.event) < std::tuple(a.end, a.event);
}

/// Marks the slices of one track (in order) that begin within another one and end after it.
void markOverlaps(std::vector<Slice>& slices, bool delegated) {
    std::vector<std::uint64_t> open;  // ends of the slices around the current one, innermost last
    for (Slice& slice : slices) {
        if (slice.delegated != delegated) {
            continue;
        }
        while (!open.empty() && open.back() <= slice.start) {
            open.pop_back();
        }
        slice.overlaps = !open.empty() && slice.end > open.back();
        if (!slice.overlaps) {
            open.push_back(slice.end);
        }
    }
}

/// A backend that only measures durations places its operators end to end from the start of the call. This
/// shows in starts that are equal, or that all equal the previous end.
bool looksLaidOut(const std::vector<Slice*>& operators) {
    bool chained = true;
    for (std::size_t i = 1; i < operators.size(); ++i) {
        if (operators[i]->start == operators[i - 1]->start) {
            return true;
        }
        chained = chained && operators[i]->start == operators[i - 1]->end;
    }
    return chained && operators.size() > 1;
}

void markSyntheticStarts(const etdump::EventColumns& columns, std::vector<Slice>& slices) {
    std::map<std::pair<std::int64_t, std::int32_t>, std::vector<Slice*>> calls;
    for (Slice& slice : slices) {
        if (slice.delegated) {
            calls[{columns.chain[slice.event], columns.instruction[slice.event]}].push_back(&slice);
        }
    }
    for (const auto& [place, operators] : calls) {
        const bool overlap = std::ranges::any_of(operators, &Slice::overlaps);
        if (overlap || looksLaidOut(operators)) {
            std::ranges::for_each(operators, [](Slice* slice) { slice->syntheticStart = true; });
        }
    }
}

}  // namespace

std::pair<std::uint64_t, std::uint64_t> SliceReader::unwrapped(std::uint64_t start, std::uint64_t end) {
    if (start >= wrap || end >= wrap) {
        return {start, std::max(start, end)};
    }
    if (end < lastEnd && lastEnd - end > wrap / 2) {
        epoch += wrap;
    }
    lastEnd = end;
    const std::uint64_t absoluteEnd = epoch + end;
    if (start <= end) {
        return {epoch + start, absoluteEnd};
    }
    // The clock wrapped within the event. If no earlier event showed the wrap, its end begins the new epoch.
    if (epoch == 0) {
        epoch = wrap;
    }
    return {epoch - wrap + start, epoch + end};
}

RunSlices SliceReader::next(const etdump::Run& run) {
    const etdump::EventColumns& columns = trace.events();
    RunSlices out;
    std::uint64_t before = epoch + lastEnd;
    for (etdump::EventIndex event = run.firstEvent; event < run.firstEvent + run.eventCount; ++event) {
        if (columns.kind[event] == etdump::EventKind::Allocation) {
            out.allocations.push_back({event, before});
        }
        if (columns.kind[event] != etdump::EventKind::Profile) {
            continue;
        }
        const auto [start, end] = unwrapped(columns.start[event], columns.end[event]);
        before = end;
        out.slices.push_back(
            {.event = event, .start = start, .end = end, .delegated = isDelegated(trace, event)});
    }
    std::ranges::stable_sort(out.slices, sliceComesBefore);
    markOverlaps(out.slices, false);
    markOverlaps(out.slices, true);
    markSyntheticStarts(columns, out.slices);
    return out;
}

}  // namespace et::inspector::events
