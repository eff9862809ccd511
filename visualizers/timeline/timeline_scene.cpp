#include "visualizers/timeline/timeline_scene.h"

#include "visualizers/toolkit/text.h"

#include <algorithm>
#include <span>
#include <tuple>

namespace et::visualizers {

namespace {

/// Order of spans across all lanes of a timeline.
using SpanOrder = std::tuple<std::uint64_t, std::size_t, std::size_t>;

}  // namespace

void TimelineScene::setTimeline(std::size_t layer, std::shared_ptr<const Timeline> shown) {
    layers[layer].timeline = std::move(shown);
    setSearch(searched);
    compare();
    setPins(std::move(pinned));
}

void TimelineScene::setDifference(bool shown) {
    differs = shown;
    compare();
}

void TimelineScene::compare() {
    for (std::size_t layer = 0; layer < layerCount; ++layer) {
        const auto& of = layers[layer].timeline;
        const auto& other = layers[1 - layer].timeline;
        layers[layer].elsewhere =
            differs && of ? TimelineDifference(*of, other ? *other : *of) : TimelineDifference();
    }
}

void TimelineScene::setPins(std::vector<TimelinePin> marked) {
    pinned = std::move(marked);
    marks.clear();
    for (TimelinePin& pin : pinned) {
        const auto span = pin.row && timeline() ? timeline()->spanOf(*pin.row) : std::nullopt;
        const bool here = pin.range && timeline() && pin.range->first >= timeline()->origin;
        pin.start = span   ? std::optional(span->start)
                    : here ? std::optional(pin.range->first - timeline()->origin)
                           : std::nullopt;
        if (pin.row) {
            marks.push_back(*pin.row);
        }
    }
    std::ranges::stable_sort(pinned, {}, &TimelinePin::start);
    std::ranges::sort(marks);
}

const TimelinePin* TimelineScene::adjacentPin(double time, bool forward) const {
    const TimelinePin* first = nullptr;  // for wrapping around
    const TimelinePin* beside = nullptr;
    for (const TimelinePin& pin : pinned) {
        if (!pin.start) {
            continue;
        }
        const auto start = static_cast<double>(*pin.start);
        if (forward) {
            first = first == nullptr ? &pin : first;
            beside = beside == nullptr && start > time ? &pin : beside;
        } else {
            first = &pin;
            beside = start < time ? &pin : beside;
        }
    }
    return beside != nullptr ? beside : first;
}

void TimelineScene::setSearch(const QString& text) {
    searched = text;
    for (Layer& layer : layers) {
        layer.matching.clear();
        if (searched.isEmpty() || !layer.timeline) {
            continue;
        }
        for (const SpanName& name : layer.timeline->names()) {
            layer.matching.push_back(toQString(name.text).contains(searched, Qt::CaseInsensitive) ||
                                     toQString(name.file).contains(searched, Qt::CaseInsensitive));
        }
    }
}

void TimelineScene::align(const std::optional<SpanRef>& chosen) {
    const auto& first = timeline();
    const auto& second = layers[1].timeline;
    if (chosen && chosen->layer == 1) {
        return;  // keeps its position under the pointer
    }
    layers[1].shift = 0;
    if (!first || !second || first->runs.spans().empty() || second->runs.spans().empty()) {
        return;
    }
    const std::span<const Span> runs = first->runs.spans();
    const std::span<const Span> others = second->runs.spans();
    const std::size_t wanted =
        chosen && chosen->layer == 0 ? first->runAt(spanOf(*chosen).start) : first->typicalRun;
    const std::size_t run = std::min(wanted, others.size() - 1);
    const std::size_t own = second->isOneRun() ? wanted : run;
    layers[1].shift = static_cast<double>(runs[std::min(own, runs.size() - 1)].start) -
                      static_cast<double>(others[run].start);
}

bool TimelineScene::matches(std::size_t layer, const Span& span) const {
    const Layer& of = layers[layer];
    return of.matching.empty() || of.matching[of.timeline->nameIdOf(span)];
}

const Span& TimelineScene::spanOf(const SpanRef& place) const {
    return layers[place.layer].timeline->lanes[place.lane].spans()[place.span];
}

std::pair<double, double> TimelineScene::timesOf(const SpanRef& place) const {
    const Span& span = spanOf(place);
    const double shift = layers[place.layer].shift;
    return {static_cast<double>(span.start) + shift, static_cast<double>(span.end) + shift};
}

std::optional<SpanRef> TimelineScene::spanAt(std::size_t layer, std::size_t lane, double time) const {
    const Lane& spans = layers[layer].timeline->lanes[lane];
    const double own = time - layers[layer].shift;
    const std::size_t found = own < 0 ? spans.spans().size() : spans.at(static_cast<std::uint64_t>(own));
    return found < spans.spans().size() ? std::optional(SpanRef{layer, lane, found}) : std::nullopt;
}

std::optional<SpanRef> TimelineScene::spanOfRow(EventRef row) const {
    const auto span = timeline() ? timeline()->spanOf(row) : std::nullopt;
    for (std::size_t lane = 0; span && lane < timeline()->lanes.size(); ++lane) {
        const auto spans = timeline()->lanes[lane].spans();
        auto found = std::ranges::lower_bound(spans, span->start, {}, &Span::start);
        for (; found != spans.end() && found->start == span->start; ++found) {
            if (found->event == span->event) {
                return SpanRef{0, lane, static_cast<std::size_t>(found - spans.begin())};
            }
        }
    }
    return std::nullopt;
}

std::optional<EventRef> TimelineScene::rowOf(const SpanRef& place) const {
    const Timeline& of = *layers[place.layer].timeline;
    const auto row = of.rowOf(spanOf(place));
    if (!row || of.blocks == timeline()->blocks) {
        return row;
    }
    const inspector::Event& wanted = of.blocks->blocks()[row->block].events[row->event];
    const auto& blocks = timeline()->blocks->blocks();
    for (std::size_t block = 0; block < blocks.size(); ++block) {
        const auto& events = blocks[block].events;
        const auto found = std::ranges::find_if(events, [&](const inspector::Event& event) {
            return event.instruction == wanted.instruction && event.chain == wanted.chain &&
                   event.name == wanted.name;
        });
        if (found != events.end()) {
            return EventRef{block, static_cast<std::size_t>(found - events.begin())};
        }
    }
    return std::nullopt;
}

std::optional<SpanRef> TimelineScene::beside(const std::optional<SpanRef>& from, int by) const {
    if (!timeline() || timeline()->lanes.empty()) {
        return std::nullopt;
    }
    if (!from) {
        return SpanRef{};
    }
    const std::size_t count = layers[from->layer].timeline->lanes[from->lane].spans().size();
    SpanRef place = *from;
    if (by > 0) {
        place.span = std::min(place.span + 1, count - 1);
    } else {
        place.span -= place.span > 0 ? 1 : 0;
    }
    return place;
}

std::optional<SpanRef> TimelineScene::nextMatch(const std::optional<SpanRef>& from, bool forward) const {
    if (!timeline() || layers[0].matching.empty()) {
        return std::nullopt;
    }
    const auto orderOf = [this](const SpanRef& place) {
        return SpanOrder(spanOf(place).start, place.lane, place.span);
    };
    const bool starts = from && from->layer == 0;
    const SpanOrder here = starts ? orderOf(*from) : SpanOrder();
    std::optional<SpanRef> best;
    for (std::size_t lane = 0; lane < timeline()->lanes.size(); ++lane) {
        const auto spans = timeline()->lanes[lane].spans();
        for (std::size_t i = 0; i < spans.size(); ++i) {
            const SpanOrder order(spans[i].start, lane, i);
            const bool beyond = !starts || (forward ? order > here : order < here);
            const bool closer =
                beyond && (!best || (forward ? order < orderOf(*best) : order > orderOf(*best)));
            if (closer && matches(0, spans[i])) {
                best = SpanRef{0, lane, i};
            }
        }
    }
    return best;
}

}  // namespace et::visualizers
