#include "visualizers/timeline/timeline_cursor.h"

#include "visualizers/timeline/timeline_text.h"

#include <utility>

namespace et::visualizers {

QString TimelineCursor::text() const {
    return current ? spanText(scene, *current) : QString();
}

void TimelineCursor::choose(const std::optional<SpanRef>& place) {
    current = place;
    const auto placed = place ? scene.rowOf(*place) : std::nullopt;
    // A span of the second timeline without a row in the first does not change the shared selection.
    if (!place || place->layer == 0 || placed) {
        currentRow = placed;
        selection.setCurrent(placed);
    }
    scene.align(current);
}

void TimelineCursor::follow() {
    const auto selected = selection.current();
    if (scene.timeline() && selected && !(current && currentRow == selected)) {
        current = scene.spanOfRow(*selected);
        currentRow = selected;
        scene.align(current);
    } else if (!selected) {
        current.reset();
        currentRow.reset();
    }
}

void TimelineCursor::reset() {
    current.reset();
    known = nullptr;
}

void TimelineCursor::forgetOverlay() {
    if (current && current->layer == 1) {
        current.reset();
    }
}

void TimelineCursor::setFlows(std::shared_ptr<const TimelineFlows> shown) {
    known = std::move(shown);
    updateFlows();
}

void TimelineCursor::updateFlows() {
    arrows = current && known && scene.timeline() ? SpanFlows::of(scene, *known, *current) : SpanFlows();
}

std::optional<TickRange> TimelineCursor::range() const {
    const auto selected = selection.range();
    const auto& timeline = scene.timeline();
    return timeline && selected && selected->first >= timeline->origin && selected->last >= selected->first
               ? std::optional(
                     TickRange{selected->first - timeline->origin, selected->last - timeline->origin})
               : std::nullopt;
}

QString TimelineCursor::measurement() const {
    const auto measured = range();
    return measured ? stretchText(*scene.timeline(), measured->first, measured->last) : QString();
}

}  // namespace et::visualizers
