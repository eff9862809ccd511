#include "visualizers/timeline/timeline_lists.h"

#include "runtime/core/event_names.h"
#include "visualizers/toolkit/text.h"

#include <algorithm>

namespace et::visualizers {

namespace {

/// Maximum number of listed matches; the most expensive come first.
constexpr std::size_t maxMatches = 2000;

}  // namespace

std::vector<TimeSum> matchSums(const TimelineScene& scene) {
    std::vector<TimeSum> sums;
    if (!scene.timeline() || scene.search().isEmpty()) {
        return sums;
    }
    const Timeline& timeline = *scene.timeline();
    const auto blocks = timeline.blocks->blocks();
    for (std::size_t block = 0; block < blocks.size(); ++block) {
        const auto& events = blocks[block].events;
        const auto whole =
            std::ranges::find(events, core::event_name::methodExecute, &inspector::Event::name);
        const double length = whole == events.end() ? 0 : whole->statistics.p50;
        for (std::size_t event = 0; event < events.size(); ++event) {
            if (events[event].profileEvents.empty()) {
                continue;
            }
            const Span any{0, 0, events[event].profileEvents.front()};
            if (scene.matches(0, any)) {
                const double time = events[event].statistics.p50;
                sums.push_back({.name = toQString(timeline.nameOf(any)),
                                .time = time,
                                .share = length > 0 ? time / length : 0,
                                .count = events[event].samples.size(),
                                .event = EventRef{block, event}});
            }
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
                        .count = time.count,
                        .event = timeline.rowOf(time.longest)});
    }
    return sums;
}

}  // namespace et::visualizers
