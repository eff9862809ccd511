#include "visualizers/timeline/timeline_lists.h"

#include "inspector/events/event_rows.h"
#include "visualizers/toolkit/text.h"

#include <algorithm>

namespace et::visualizers {

namespace {

/// More than a person looks through; the most expensive come first.
constexpr std::size_t maxMatches = 2000;

}  // namespace

std::vector<TimeSum> matchSums(const TimelineScene& scene) {
    std::vector<TimeSum> sums;
    if (!scene.timeline() || scene.search().isEmpty()) {
        return sums;
    }
    const Timeline& timeline = *scene.timeline();
    const auto blocks = timeline.blocks->blocks();
    const inspector::report::EventRows rows = inspector::report::eventRows(*timeline.blocks);
    for (const inspector::report::EventRow& row : rows.rows) {
        const inspector::Event& event = *row.event;
        if (event.profileEvents.empty()) {
            continue;
        }
        const Span any{0, 0, event.profileEvents.front()};
        if (scene.matches(0, any)) {
            const auto place = static_cast<std::size_t>(&event - blocks[row.blockAt].events.data());
            sums.push_back({.name = toQString(timeline.nameOf(any)),
                            .time = event.statistics.p50,
                            .share = rows.share(row).value_or(0),
                            .count = event.samples.size(),
                            .event = EventRef{row.blockAt, place}});
        }
    }
    std::ranges::stable_sort(sums, std::ranges::greater{}, &TimeSum::time);
    sums.resize(std::min(sums.size(), maxMatches));
    return sums;
}

std::vector<TimeSum> stretchSums(const Timeline& timeline, const std::vector<NamedTime>& times,
                                 std::uint64_t length, const QString& unnamed) {
    std::vector<TimeSum> sums;
    for (const NamedTime& time : times) {
        const auto ticks = static_cast<double>(time.ticks);
        sums.push_back({.name = time.name.empty() ? unnamed : toQString(time.name),
                        .time = ticks / timeline.ticksPerUnit,
                        .share = length == 0 ? 0 : ticks / static_cast<double>(length),
                        .count = time.count});
    }
    return sums;
}

}  // namespace et::visualizers
