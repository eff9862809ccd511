#include "visualizers/timeline/timeline.h"

#include "runtime/core/event_names.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace et::visualizers {

namespace {

/// What nests deeper is left out: no runtime does that.
constexpr std::size_t maxLanes = 32;
/// A trace that loads more often than this is damaged.
constexpr std::size_t maxMarkers = 256;
using core::event_name::methodExecute;
constexpr std::array<std::string_view, 3> markedNames{
    core::event_name::loadMethod, core::event_name::methodInit, core::event_name::loadProgram};

/// Profile events as spans of the trace's clock: earlier ones first, containers before what they contain.
std::vector<Span> spansOf(const etdump::Trace& trace) {
    const etdump::EventColumns& events = trace.events();
    std::vector<Span> spans;
    for (std::size_t i = 0; i < trace.eventCount(); ++i) {
        if (events.kind[i] == etdump::EventKind::Profile && events.end[i] >= events.start[i]) {
            spans.push_back({events.start[i], events.end[i], static_cast<etdump::EventIndex>(i)});
        }
    }
    std::ranges::sort(spans, [](const Span& a, const Span& b) {
        // Of equals, the one that the runtime wrote later contains the other.
        return std::tuple(a.start, b.end, b.event) < std::tuple(b.start, a.end, a.event);
    });
    return spans;
}

/// Each span below all that run when it starts.
std::vector<std::vector<Span>> nested(const std::vector<Span>& spans) {
    std::vector<std::vector<Span>> lanes;
    for (const Span& span : spans) {
        std::size_t lane = lanes.size();
        while (lane > 0 && lanes[lane - 1].back().end <= span.start) {
            --lane;
        }
        if (lane == maxLanes) {
            continue;
        }
        if (lane == lanes.size()) {
            lanes.emplace_back();
        }
        lanes[lane].push_back(span);
    }
    return lanes;
}

std::vector<EventRef> rowsOf(const inspector::EventBlocks& joined) {
    std::vector<EventRef> rows(joined.trace().eventCount(), EventRef{Timeline::noBlock, 0});
    for (std::size_t block = 0; block < joined.blocks().size(); ++block) {
        const auto& events = joined.blocks()[block].events;
        for (std::size_t event = 0; event < events.size(); ++event) {
            for (const etdump::EventIndex sample : events[event].profileEvents) {
                rows[sample] = {block, event};
            }
        }
    }
    return rows;
}

/// Names of events as their rows are called, or as the trace has them.
void nameEvents(Timeline& timeline, const inspector::EventBlocks& joined) {
    const etdump::Trace& trace = joined.trace();
    std::unordered_map<std::string_view, std::uint32_t> known;
    const auto idOf = [&](std::string_view name) {
        const auto [place, fresh] =
            known.try_emplace(name, static_cast<std::uint32_t>(timeline.names.size()));
        if (fresh) {
            timeline.names.push_back(name);
        }
        return place->second;
    };
    constexpr std::uint32_t unnamed = ~std::uint32_t{0};
    timeline.nameIds.assign(trace.eventCount(), unnamed);
    for (const inspector::Block& block : joined.blocks()) {
        for (const inspector::Event& event : block.events) {
            const std::uint32_t id = idOf(event.name);
            for (const etdump::EventIndex sample : event.profileEvents) {
                timeline.nameIds[sample] = id;
            }
        }
    }
    for (std::size_t i = 0; i < timeline.nameIds.size(); ++i) {
        if (timeline.nameIds[i] == unnamed) {
            timeline.nameIds[i] = idOf(trace.text(trace.events().name[i]));
        }
    }
}

/// Executions that follow one another; what overlaps the one before is left out.
std::vector<Span> executionsOf(const etdump::Trace& trace, std::uint64_t origin) {
    const etdump::EventColumns& events = trace.events();
    std::vector<Span> runs;
    for (std::size_t run = 0; run < trace.runs().size(); ++run) {
        const etdump::Run& info = trace.runs()[run];
        for (std::size_t i = info.firstEvent; i < info.firstEvent + info.eventCount; ++i) {
            if (events.kind[i] == etdump::EventKind::Profile && events.end[i] >= events.start[i] &&
                trace.text(events.name[i]) == methodExecute) {
                runs.push_back(
                    {events.start[i] - origin, events.end[i] - origin, static_cast<etdump::EventIndex>(run)});
            }
        }
    }
    std::ranges::sort(runs, {}, &Span::start);
    std::vector<Span> apart;
    for (const Span& run : runs) {
        if (apart.empty() || apart.back().end <= run.start) {
            apart.push_back(run);
        }
    }
    return apart;
}

std::vector<TimelineMarker> markersOf(const inspector::EventBlocks& joined, std::uint64_t origin) {
    const etdump::EventColumns& events = joined.trace().events();
    std::vector<TimelineMarker> markers;
    for (const inspector::Block& block : joined.blocks()) {
        for (const inspector::Event& event : block.events) {
            if (!std::ranges::contains(markedNames, event.name)) {
                continue;
            }
            for (const etdump::EventIndex sample : event.profileEvents) {
                if (events.end[sample] >= events.start[sample] && markers.size() < maxMarkers) {
                    markers.push_back(
                        {events.start[sample] - origin, events.end[sample] - origin, event.name});
                }
            }
        }
    }
    std::ranges::sort(markers, {}, &TimelineMarker::start);
    return markers;
}

}  // namespace

std::shared_ptr<const Timeline> Timeline::build(std::shared_ptr<const inspector::EventBlocks> joined) {
    auto result = std::make_shared<Timeline>();
    std::vector<Span> spans = spansOf(joined->trace());
    if (!spans.empty()) {
        result->origin = spans.front().start;
        std::uint64_t end = 0;
        for (Span& span : spans) {
            span.start -= result->origin;
            span.end -= result->origin;
            end = std::max(end, span.end);
        }
        result->length = std::max<std::uint64_t>(end, 1);
    }
    for (std::vector<Span>& lane : nested(spans)) {
        result->lanes.emplace_back(std::move(lane));
    }
    result->rows = rowsOf(*joined);
    nameEvents(*result, *joined);
    result->runs = Lane(executionsOf(joined->trace(), result->origin));
    result->markers = markersOf(*joined, result->origin);
    result->ticksPerUnit = inspector::ticksPerUnit(joined->options().source, joined->options().target);
    result->blocks = std::move(joined);
    return result;
}

std::optional<EventRef> Timeline::rowOf(const Span& span) const {
    const EventRef row = rows[span.event];
    return row.block == noBlock ? std::nullopt : std::optional(row);
}

std::size_t Timeline::runAt(std::uint64_t time) const {
    const auto spans = runs.spans();
    const auto after = std::ranges::upper_bound(spans, time, {}, &Span::start);
    return after == spans.begin() ? 0 : static_cast<std::size_t>(after - spans.begin()) - 1;
}

std::optional<Span> Timeline::spanOf(EventRef row) const {
    const auto& samples = blocks->blocks()[row.block].events[row.event].profileEvents;
    if (samples.empty()) {
        return std::nullopt;
    }
    const etdump::EventColumns& events = blocks->trace().events();
    const etdump::EventIndex event = samples.front();
    return events.end[event] < events.start[event] || events.start[event] < origin
               ? std::nullopt
               : std::optional(Span{events.start[event] - origin, events.end[event] - origin, event});
}

}  // namespace et::visualizers
