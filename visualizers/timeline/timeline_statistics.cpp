#include "visualizers/timeline/timeline_statistics.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace et::visualizers {

namespace {

/// Ticks of a span within [from, to].
std::uint64_t within(const Span& span, std::uint64_t from, std::uint64_t to) {
    const std::uint64_t left = std::max(span.start, from);
    const std::uint64_t right = std::min(span.end, to);
    return right > left ? right - left : 0;
}

/// The spans of a lane that overlap the range.
std::span<const Span> touching(const Lane& lane, std::uint64_t from, std::uint64_t to) {
    const auto all = lane.spans();
    const auto first = std::ranges::lower_bound(all, from, {}, &Span::end);
    const auto last = std::upper_bound(
        first, all.end(), to, [](std::uint64_t time, const Span& span) { return time < span.start; });
    return {first, last};
}

/// A span clipped to the range.
struct CutSpan {
    std::uint64_t start;
    std::uint64_t end;
    std::uint64_t own;  ///< ticks not covered by nested spans
    etdump::EventIndex event;
};

/// All spans of the range with their self time: each span's time is subtracted from the innermost span that
/// contains it, in any lane.
std::vector<CutSpan> ownTimes(const Timeline& timeline, std::uint64_t from, std::uint64_t to) {
    std::vector<CutSpan> cut;
    for (const Lane& lane : timeline.lanes) {
        for (const Span& span : touching(lane, from, to)) {
            cut.push_back({span.start, span.end, within(span, from, to), span.event});
        }
    }
    std::ranges::stable_sort(cut, [](const CutSpan& a, const CutSpan& b) {
        return std::pair(a.start, b.end) < std::pair(b.start, a.end);
    });
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < cut.size(); ++i) {
        while (!open.empty() && cut[open.back()].end < cut[i].end) {
            open.pop_back();
        }
        if (!open.empty() && cut[open.back()].end > cut[i].start) {
            std::uint64_t& whole = cut[open.back()].own;
            whole -= std::min(whole, within({cut[i].start, cut[i].end, 0}, from, to));
        }
        open.push_back(i);
    }
    return cut;
}

/// Sums by the key that `keyOf` returns for a span.
template <class KeyOf>
std::vector<NamedTime> sumsBy(std::span<const CutSpan> spans, const KeyOf& keyOf) {
    std::unordered_map<std::string_view, std::pair<NamedTime, std::uint64_t>> byName;
    for (const CutSpan& span : spans) {
        const Span whole{span.start, span.end, span.event};
        const std::string_view name = keyOf(whole);
        auto& [sum, longestTicks] = byName.try_emplace(name, NamedTime{.name = name}, 0).first->second;
        if (sum.count == 0 || span.own > longestTicks) {
            sum.longest = whole;
            longestTicks = span.own;
        }
        sum.ticks += span.own;
        ++sum.count;
    }
    std::vector<NamedTime> sums;
    for (const auto& [name, entry] : byName) {
        const NamedTime& sum = entry.first;
        if (sum.ticks > 0) {
            sums.push_back(sum);
        }
    }
    std::ranges::sort(sums, [](const NamedTime& a, const NamedTime& b) {
        return std::pair(b.ticks, a.name) < std::pair(a.ticks, b.name);
    });
    return sums;
}

}  // namespace

StretchStatistics computeUse(const Timeline& timeline, std::uint64_t from, std::uint64_t to) {
    StretchStatistics result;
    for (const Lane& lane : timeline.lanes) {
        result.lanes.push_back(lane.use(from, to));
    }
    result.runs = timeline.runs.use(from, to).started;
    return result;
}

StretchStatistics computeStatistics(const Timeline& timeline, std::uint64_t from, std::uint64_t to) {
    StretchStatistics result = computeUse(timeline, from, to);
    const std::size_t spans =
        std::accumulate(result.lanes.begin(), result.lanes.end(), std::size_t{0},
                        [](std::size_t sum, const Lane::Use& use) { return sum + use.started; });
    if (spans <= StretchStatistics::maxSpans) {
        const std::vector<CutSpan> cut = ownTimes(timeline, from, to);
        result.names = sumsBy(cut, [&](const Span& span) { return timeline.nameOf(span); });
        result.modules =
            sumsBy(cut, [&](const Span& span) { return std::string_view(timeline.spanName(span).module); });
        result.delegates = sumsBy(cut, [&](const Span& span) {
            const inspector::Event* const event = timeline.eventOf(span);
            return event == nullptr ? std::string_view() : event->backend;
        });
    }
    return result;
}

}  // namespace et::visualizers
