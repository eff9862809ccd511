#include "visualizers/timeline/timeline.h"

#include "inspector/events/event_rows.h"
#include "inspector/events/readable_name.h"
#include "inspector/events/typical_run.h"
#include "inspector/names/phase_mark.h"
#include "runtime/core/event_names.h"
#include "visualizers/timeline/executions.h"
#include "visualizers/timeline/timeline_lanes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <span>
#include <utility>

namespace et::visualizers {

namespace {

/// A trace with more loads than this is invalid.
constexpr std::size_t maxMarkers = 256;
constexpr std::array<std::string_view, 3> markedNames{
    core::event_name::loadMethod, core::event_name::methodInit, core::event_name::loadProgram};

/// Profile events as spans in the trace's clock.
std::vector<Span> collectSpans(const etdump::Trace& trace) {
    const etdump::EventColumns& events = trace.events();
    std::vector<Span> spans;
    for (std::size_t i = 0; i < trace.eventCount(); ++i) {
        if (events.kind[i] == etdump::EventKind::Profile && events.end[i] >= events.start[i]) {
            spans.push_back({events.start[i], events.end[i], static_cast<etdump::EventIndex>(i)});
        }
    }
    return spans;
}

std::vector<EventRef> rowsOf(const inspector::EventBlocks& joined) {
    std::vector<EventRef> rows(joined.trace().eventCount(), EventRef{TimelineNames::noBlock, 0});
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

/// "decode · position 19", "prefill · position 0, 12 tokens" instead of the call's number, which carries no
/// information.
SpanName nameOfMark(const inspector::PhaseMark& mark, std::string_view file) {
    SpanName name{.text = std::string(mark.phase)};
    name.operatorEnd = name.text.size();
    name.module = "position " + std::to_string(mark.position);
    if (mark.tokens > 1) {
        name.module += ", " + std::to_string(mark.tokens) + " tokens";
    }
    name.text += " · " + name.module;
    name.file = file;
    return name;
}

SpanName nameOfRow(const inspector::Block& block, const inspector::Event& event) {
    if (block.name == inspector::phaseBlockName) {
        if (const auto mark = inspector::parsePhaseMark(event.name)) {
            return nameOfMark(*mark, event.name);
        }
    }
    SpanName name{.text = inspector::events::readableOperator(block, event)};
    name.operatorEnd = name.text.size();
    name.module = inspector::events::readableModule(block, event);
    if (!name.module.empty()) {
        name.text += " · " + name.module;
    }
    if (event.name != name.text) {
        name.file = event.name;
    }
    return name;
}

/// Names of events, from their rows or from the trace. Entries differ in the display name or the name in the
/// file, so that each represents exactly one of both.
class NameTable {
  public:
    explicit NameTable(TimelineNames& into) : naming(into) {}

    std::uint32_t idOf(SpanName name) {
        const auto [place, fresh] = known.try_emplace(std::pair(name.text, name.file),
                                                      static_cast<std::uint32_t>(naming.names.size()));
        if (fresh) {
            naming.names.push_back(std::move(name));
        }
        return place->second;
    }

  private:
    TimelineNames& naming;
    std::map<std::pair<std::string, std::string>, std::uint32_t> known;
};

void nameEvents(TimelineNames& naming, const inspector::EventBlocks& joined) {
    const etdump::Trace& trace = joined.trace();
    constexpr std::uint32_t unnamed = ~std::uint32_t{0};
    NameTable table(naming);
    naming.nameIds.assign(trace.eventCount(), unnamed);
    for (const inspector::Block& block : joined.blocks()) {
        for (const inspector::Event& event : block.events) {
            const std::uint32_t id = table.idOf(nameOfRow(block, event));
            for (const etdump::EventIndex sample : event.profileEvents) {
                naming.nameIds[sample] = id;
            }
        }
    }
    for (std::size_t i = 0; i < naming.nameIds.size(); ++i) {
        if (naming.nameIds[i] == unnamed) {
            const std::string_view text = trace.text(trace.events().name[i]);
            naming.nameIds[i] = table.idOf({.text = std::string(text), .operatorEnd = text.size()});
        }
    }
}

std::vector<TimelineMarker> makeMarkers(const inspector::EventBlocks& joined, std::uint64_t origin) {
    const etdump::EventColumns& events = joined.trace().events();
    std::vector<TimelineMarker> markers;
    for (const inspector::Block& block : joined.blocks()) {
        for (const inspector::Event& event : block.events) {
            if (!std::ranges::contains(markedNames, event.name)) {
                continue;
            }
            const std::string name = inspector::events::readableOperator(block, event);
            for (const etdump::EventIndex sample : event.profileEvents) {
                if (events.end[sample] >= events.start[sample] && markers.size() < maxMarkers) {
                    markers.push_back({events.start[sample] - origin, events.end[sample] - origin, name});
                }
            }
        }
    }
    std::ranges::sort(markers, {}, &TimelineMarker::start);
    return markers;
}

/// Common part of the timelines of a whole trace and of a run.
std::shared_ptr<Timeline> withLanes(const std::shared_ptr<const inspector::EventBlocks>& joined,
                                    const std::shared_ptr<const TimelineNames>& naming,
                                    std::vector<Span> spans) {
    auto result = std::make_shared<Timeline>();
    LabelledLanes lanes = makeLanes(*joined, *naming, std::move(spans));
    result->lanes = std::move(lanes.lanes);
    result->labels = std::move(lanes.labels);
    result->naming = naming;
    result->ticksPerUnit = inspector::ticksPerUnit(joined->options().clock.unit, joined->options().target);
    result->blocks = joined;
    return result;
}

}  // namespace

std::shared_ptr<const TimelineNames> TimelineNames::build(const inspector::EventBlocks& joined) {
    auto naming = std::make_shared<TimelineNames>();
    naming->rows = rowsOf(joined);
    nameEvents(*naming, joined);
    return naming;
}

namespace {

std::size_t typicalRunOf(std::span<const Span> runs) {
    constexpr double unusual = 1.5;  // times the median, or the inverse
    constexpr double usual = 1.1;
    if (runs.size() < 3) {
        return 0;
    }
    std::vector<double> lengths;
    std::ranges::transform(runs, std::back_inserter(lengths),
                           [](const Span& run) { return static_cast<double>(run.end - run.start); });
    const std::vector<double> inOrder = lengths;
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
    std::ranges::nth_element(lengths, middle);
    const auto isWithin = [median = *middle](double factor) {
        return [=](double length) { return length <= factor * median && median <= factor * length; };
    };
    if (isWithin(unusual)(inOrder.front())) {
        return 0;
    }
    return static_cast<std::size_t>(std::ranges::find_if(inOrder, isWithin(usual)) - inOrder.begin());
}

}  // namespace

std::shared_ptr<const Timeline> Timeline::build(std::shared_ptr<const inspector::EventBlocks> joined) {
    std::vector<Span> spans = collectSpans(joined->trace());
    std::uint64_t origin = 0;
    std::uint64_t end = 0;
    if (!spans.empty()) {
        origin = std::ranges::min_element(spans, {}, &Span::start)->start;
    }
    for (Span& span : spans) {
        span.start -= origin;
        span.end -= origin;
        end = std::max(end, span.end);
    }
    const auto result = withLanes(joined, TimelineNames::build(*joined), std::move(spans));
    result->origin = origin;
    result->length = std::max<std::uint64_t>(end, 1);
    result->runs = Lane(executionsOf(joined->trace(), origin));
    result->typicalRun = typicalRunOf(result->runs.spans());
    result->markers = makeMarkers(*joined, origin);
    return result;
}

std::shared_ptr<const Timeline> Timeline::typical(const Timeline& all, std::size_t block) {
    const inspector::EventBlocks& joined = *all.blocks;
    if (block >= joined.blocks().size()) {
        return nullptr;
    }
    const inspector::events::EventRows rows = inspector::events::eventRows(joined);
    const inspector::events::TypicalRun run = inspector::events::typicalRun(joined, rows, block);
    if (run.steps.empty() || run.length <= 0) {
        return nullptr;
    }
    std::vector<Span> spans;
    for (const inspector::events::TypicalStep& step : run.steps) {
        const auto start = static_cast<std::uint64_t>(std::llround(step.start));
        const auto end = static_cast<std::uint64_t>(std::llround(step.start + step.length));
        spans.push_back({start, end, rows.rows[step.row].event->profileEvents.front()});
    }
    const auto result = withLanes(all.blocks, all.naming, std::move(spans));
    result->length = std::max<std::uint64_t>(static_cast<std::uint64_t>(std::llround(run.length)), 1);
    result->runs = Lane({{.start = 0, .end = result->length, .event = 0}});
    result->folded = run.runs;
    return result;
}

std::optional<EventRef> Timeline::rowOf(const Span& span) const {
    const EventRef row = naming->rows[span.event];
    return row.block == TimelineNames::noBlock ? std::nullopt : std::optional(row);
}

const inspector::Event* Timeline::eventOf(const Span& span) const {
    const auto row = rowOf(span);
    return row ? &blocks->blocks()[row->block].events[row->event] : nullptr;
}

std::size_t Timeline::runAt(std::uint64_t time) const {
    const auto spans = runs.spans();
    const auto after = std::ranges::upper_bound(spans, time, {}, &Span::start);
    return after == spans.begin() ? 0 : static_cast<std::size_t>(after - spans.begin()) - 1;
}

std::optional<Span> Timeline::spanOf(EventRef row) const {
    const auto& all = blocks->blocks();
    if (row.block >= all.size() || row.event >= all[row.block].events.size()) {
        return std::nullopt;  // a pin of the previously open trace
    }
    const auto& samples = all[row.block].events[row.event].profileEvents;
    if (samples.empty()) {
        return std::nullopt;
    }
    const etdump::EventColumns& events = blocks->trace().events();
    const std::uint64_t from = typicalRun == 0 ? 0 : origin + runs.spans()[typicalRun].start;
    const auto found = std::ranges::lower_bound(samples, from, {},
                                                [&](etdump::EventIndex each) { return events.start[each]; });
    const etdump::EventIndex event = found == samples.end() ? samples.front() : *found;
    return events.end[event] < events.start[event] || events.start[event] < origin
               ? std::nullopt
               : std::optional(Span{events.start[event] - origin, events.end[event] - origin, event});
}

}  // namespace et::visualizers
