#include "visualizers/timeline/timeline_flows.h"

#include "inspector/join/step_links.h"
#include "runtime/core/event_names.h"
#include "visualizers/timeline/timeline_memory.h"

#include <algorithm>
#include <utility>

namespace et::visualizers {

namespace {

/// Spans of `rows` in an execution, in time order.
std::vector<SpanRef> placesOf(const TimelineScene& scene, const std::vector<EventRef>& rows,
                              std::uint64_t from, std::uint64_t to) {
    const Timeline& timeline = *scene.timeline();
    std::vector<SpanRef> places;
    for (std::size_t lane = 0; lane < timeline.lanes.size() && !rows.empty(); ++lane) {
        const auto spans = timeline.lanes[lane].spans();
        if (timeline.labels[lane].kind != LaneKind::Steps) {
            continue;
        }
        for (auto at = std::ranges::lower_bound(spans, from, {}, &Span::start);
             at != spans.end() && at->start <= to && places.size() < SpanFlows::maxArrows; ++at) {
            const auto row = timeline.rowOf(*at);
            if (row && std::ranges::binary_search(rows, *row)) {
                places.push_back({0, lane, static_cast<std::size_t>(at - spans.begin())});
            }
        }
    }
    std::ranges::sort(places, {}, [&](const SpanRef& place) { return scene.spanOf(place).start; });
    return places;
}

}  // namespace

std::shared_ptr<const TimelineFlows> TimelineFlows::build(const inspector::EventBlocks& blocks,
                                                          const inspector::Session& session) {
    if (!session.program) {
        return nullptr;
    }
    auto flows = std::make_shared<TimelineFlows>();
    for (std::size_t at = 0; at < blocks.blocks().size(); ++at) {
        const inspector::Block& block = blocks.blocks()[at];
        const program::Method* const method = methodOf(session, block);
        std::map<std::int32_t, EventRef> rows;
        for (std::size_t i = 0; method != nullptr && i < block.events.size(); ++i) {
            const inspector::Event& event = block.events[i];
            if (event.chain == 0 && !event.delegated && event.name != core::event_name::operatorCall) {
                rows.try_emplace(event.instruction.value, EventRef{at, i});
            }
        }
        for (const auto& [from, to] : rows.empty() ? inspector::StepLinks() : inspector::stepLinks(*method)) {
            const auto source = rows.find(from);
            const auto taker = rows.find(to);
            if (source != rows.end() && taker != rows.end()) {
                flows->sources[taker->second].push_back(source->second);
                flows->takers[source->second].push_back(taker->second);
            }
        }
    }
    for (Rows* const each : {&flows->sources, &flows->takers}) {
        for (auto& [row, others] : *each) {
            std::ranges::sort(others);
        }
    }
    return flows->sources.empty() ? nullptr : flows;
}

std::vector<EventRef> TimelineFlows::before(EventRef row) const {
    const auto found = sources.find(row);
    return found == sources.end() ? std::vector<EventRef>() : found->second;
}

std::vector<EventRef> TimelineFlows::after(EventRef row) const {
    const auto found = takers.find(row);
    return found == takers.end() ? std::vector<EventRef>() : found->second;
}

SpanFlows SpanFlows::of(const TimelineScene& scene, const TimelineFlows& flows, const SpanRef& chosen) {
    if (chosen.layer != 0) {
        return {};
    }
    const Timeline& timeline = *scene.timeline();
    const Span& span = scene.spanOf(chosen);
    const auto row = timeline.rowOf(span);
    const auto runs = timeline.runs.spans();
    const std::size_t run = timeline.runAt(span.start);
    if (!row || run >= runs.size() || span.start < runs[run].start || span.end > runs[run].end) {
        return {};
    }
    return {.before = placesOf(scene, flows.before(*row), runs[run].start, span.start),
            .after = placesOf(scene, flows.after(*row), span.end, runs[run].end)};
}

}  // namespace et::visualizers
