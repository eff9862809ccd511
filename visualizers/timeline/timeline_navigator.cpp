#include "visualizers/timeline/timeline_navigator.h"

#include "visualizers/selection.h"

#include <algorithm>
#include <utility>

namespace et::visualizers {

namespace {

/// Maximum zoom in ticks: less than a tick per pixel shows nothing new, but leaves space for names.
constexpr double minTicks = 20;
constexpr double runRoom = 0.01;  // margin of a fitted execution
constexpr double edgeRoom = 0.2;  // margin on both sides of a fitted span

}  // namespace

TimelineNavigator::TimelineNavigator(TimelineScene& of, Selection& selection)
    : scene(of), chosen(selection), marked(of, selection) {
    connect(&chosen, &Selection::currentChanged, this, &TimelineNavigator::showChosen);
    connect(&chosen, &Selection::rangeChanged, this, &TimelineNavigator::showRange);
}

void TimelineNavigator::restart(int pixels) {
    marked.reset();
    // Parts of the second timeline outside of the first are reachable by selecting another execution.
    window =
        ZoomRange(scene.timeline() ? static_cast<double>(scene.timeline()->length) : 1, minTicks, pixels);
    fitRun(scene.timeline() ? scene.timeline()->typicalRun : 0);
    showChosen();
}

void TimelineNavigator::zoom(double factor, double pixel) {
    window.zoom(factor, pixel);
    emit viewMoved();
}

void TimelineNavigator::pan(double right) {
    window.pan(right);
    emit viewMoved();
}

void TimelineNavigator::showTimes(double from, double to) {
    window.show(from, to);
    emit viewMoved();
}

void TimelineNavigator::fitAll() {
    window.fit();
    emit viewMoved();
}

void TimelineNavigator::fitFirstRun() {
    fitRun(0);
}

void TimelineNavigator::fitRun(std::size_t number) {
    if (scene.timeline() && number < scene.timeline()->runs.spans().size()) {
        const Span& run = scene.timeline()->runs.spans()[number];
        window.show(static_cast<double>(run.start), static_cast<double>(run.end), runRoom);
        emit viewMoved();
    } else {
        fitAll();
    }
}

void TimelineNavigator::fitChosen() {
    if (const auto& current = marked.span()) {
        const auto [start, end] = scene.timesOf(*current);
        window.show(start, end, edgeRoom);
        emit viewMoved();
    }
}

void TimelineNavigator::choose(const std::optional<SpanRef>& place) {
    marked.choose(place);
    showRange();
}

/// Makes a span current, if there is one, and scrolls to it if it is not on screen.
void TimelineNavigator::goTo(const std::optional<SpanRef>& place) {
    if (!place) {
        return;
    }
    choose(place);
    const auto& current = marked.span();
    const auto [start, end] = current ? scene.timesOf(*current) : std::pair(window.from(), window.to());
    if (start < window.from() || end > window.to()) {
        fitChosen();
    }
}

void TimelineNavigator::chooseRow(EventRef row) {
    if (const auto place = scene.timeline() ? scene.spanOfRow(row) : std::nullopt) {
        goTo(place);
    } else {
        chosen.setCurrent(row);
    }
}

void TimelineNavigator::chooseAdjacent(int by) {
    goTo(scene.beside(marked.span(), by));
}

void TimelineNavigator::goToMatch(bool forward) {
    goTo(scene.nextMatch(marked.span(), forward));
}

bool TimelineNavigator::goToPin(bool forward) {
    const auto range = marked.range();
    const auto& current = marked.span();
    const double here = range     ? static_cast<double>(range->first)
                        : current ? scene.timesOf(*current).first
                                  : window.from();
    const TimelinePin* const pin = scene.adjacentPin(here, forward);
    if (pin == nullptr) {
        return false;
    }
    if (pin->row) {
        const EventRef row = *pin->row;  // copied, because selecting may reload the notes
        chosen.setRange(std::nullopt);
        chooseRow(row);
    } else {
        const TickRange pinned = *pin->range;
        chosen.setRange(pinned);
        const auto from = static_cast<double>(pinned.first - scene.timeline()->origin);
        window.show(from, from + static_cast<double>(pinned.last - pinned.first), edgeRoom);
        emit viewMoved();
    }
    return true;
}

void TimelineNavigator::followFlow(bool forward) {
    const auto& steps = forward ? marked.flows().after : marked.flows().before;
    if (!steps.empty()) {
        goTo(forward ? steps.front() : steps.back());
    }
}

void TimelineNavigator::mark(double from, double to) {
    const auto& timeline = scene.timeline();
    if (!timeline) {
        return;
    }
    const auto tick = [&](double at) {
        const double time = std::clamp(window.valueAt(at), 0.0, static_cast<double>(timeline->length));
        return timeline->origin + static_cast<std::uint64_t>(time);
    };
    chosen.setRange(TickRange{tick(from), tick(to)});
}

/// Scrolls to a range selected in another view; a range marked here is already visible.
void TimelineNavigator::showRange() {
    const QString text = marked.measurement();
    if (const auto range = marked.range()) {
        const auto from = static_cast<double>(range->first);
        const auto to = static_cast<double>(range->last);
        if (to < window.from() || from > window.to()) {
            window.show(from, to, edgeRoom);
            emit viewMoved();
        }
    }
    marked.updateFlows();
    emit measured(text.isEmpty() ? marked.text() : text);
}

/// Shows the selection of another view.
void TimelineNavigator::showChosen() {
    marked.follow();
    showRange();
}

}  // namespace et::visualizers
