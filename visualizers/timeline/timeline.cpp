#include "visualizers/timeline/timeline.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace et::visualizers {

namespace {

/// What nests deeper is left out: no runtime does that.
constexpr std::size_t mostLanes = 32;

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
        if (lane == mostLanes) {
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
    result->ticksPerUnit = inspector::ticksPerUnit(joined->options().source, joined->options().target);
    result->blocks = std::move(joined);
    return result;
}

std::string_view Timeline::nameOf(const Span& span) const {
    const auto row = rowOf(span);
    const etdump::Trace& trace = blocks->trace();
    return row ? blocks->blocks()[row->block].events[row->event].name
               : trace.text(trace.events().name[span.event]);
}

std::optional<EventRef> Timeline::rowOf(const Span& span) const {
    const EventRef row = rows[span.event];
    return row.block == noBlock ? std::nullopt : std::optional(row);
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
