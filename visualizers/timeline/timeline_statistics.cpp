#include "visualizers/timeline/timeline_statistics.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

namespace et::visualizers {

namespace {

/// Ticks of a span within [from, to].
std::uint64_t within(const Span& span, std::uint64_t from, std::uint64_t to) {
    const std::uint64_t left = std::max(span.start, from);
    const std::uint64_t right = std::min(span.end, to);
    return right > left ? right - left : 0;
}

/// The spans of a lane that touch the stretch.
std::span<const Span> touching(const Lane& lane, std::uint64_t from, std::uint64_t to) {
    const auto all = lane.spans();
    const auto first = std::ranges::lower_bound(all, from, {}, &Span::end);
    const auto last = std::upper_bound(
        first, all.end(), to, [](std::uint64_t time, const Span& span) { return time < span.start; });
    return {first, last};
}

/// Adds each lane's time to its names, and takes it from the names of the lane above, which contains it.
std::vector<NamedTime> namesOf(const Timeline& timeline, std::uint64_t from, std::uint64_t to) {
    std::vector<NamedTime> sums(timeline.names.size());
    std::span<const Span> above;
    for (const Lane& lane : timeline.lanes) {
        const std::span<const Span> spans = touching(lane, from, to);
        auto outer = above.begin();
        for (const Span& span : spans) {
            NamedTime& sum = sums[timeline.nameIds[span.event]];
            const std::uint64_t ticks = within(span, from, to);
            sum.ticks += ticks;
            ++sum.count;
            while (outer != above.end() && outer->end < span.end) {
                ++outer;
            }
            if (outer != above.end() && outer->start <= span.start) {
                NamedTime& whole = sums[timeline.nameIds[outer->event]];
                whole.ticks -= std::min(whole.ticks, ticks);
            }
        }
        above = spans;
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
        sums[i].name = timeline.names[i];
    }
    std::erase_if(sums, [](const NamedTime& sum) { return sum.ticks == 0; });
    std::ranges::stable_sort(sums, std::ranges::greater{}, &NamedTime::ticks);
    return sums;
}

}  // namespace

StretchStatistics statisticsOf(const Timeline& timeline, std::uint64_t from, std::uint64_t to) {
    StretchStatistics result;
    for (const Lane& lane : timeline.lanes) {
        result.lanes.push_back(lane.use(from, to));
    }
    result.runs = timeline.runs.use(from, to).started;
    const std::size_t spans =
        std::accumulate(result.lanes.begin(), result.lanes.end(), std::size_t{0},
                        [](std::size_t sum, const Lane::Use& use) { return sum + use.started; });
    if (spans <= StretchStatistics::maxSpans) {
        result.names = namesOf(timeline, from, to);
    }
    return result;
}

}  // namespace et::visualizers
