#pragma once

#include "visualizers/selection.h"
#include "visualizers/timeline/timeline_flows.h"
#include "visualizers/timeline/timeline_scene.h"

#include <QString>

#include <memory>
#include <optional>

namespace et::visualizers {

/// The current span of a scene with its data flow, and the measured range, linked with the shared selection.
class TimelineCursor {
  public:
    /// Both must outlive this object.
    TimelineCursor(TimelineScene& of, Selection& shared) : scene(of), selection(shared) {}

    /// Nothing if there is no current span.
    [[nodiscard]] const std::optional<SpanRef>& span() const { return current; }
    /// Its row in the first timeline, or nothing.
    [[nodiscard]] const std::optional<EventRef>& row() const { return currentRow; }
    /// One-line description of the current span; empty without one.
    [[nodiscard]] QString text() const;
    /// Makes a span current, or none, and selects its row.
    void choose(const std::optional<SpanRef>& place);
    /// Makes the row of the shared selection current; keeps a run of the same row that was chosen here.
    void follow();
    /// Call when the first timeline changes: forgets the current span and the flows.
    void reset();
    /// Call when the second timeline changes: forgets a current span in it.
    void forgetOverlay();

    /// Arrows to and from the current span.
    [[nodiscard]] const SpanFlows& flows() const { return arrows; }
    /// Data flow between the steps of the first timeline; null: unknown.
    void setFlows(std::shared_ptr<const TimelineFlows> shown);
    /// Call when the current span has changed.
    void updateFlows();

    /// The measured range in ticks from the first timeline's origin; nothing if no range is measured or it
    /// begins before the origin.
    [[nodiscard]] std::optional<TickRange> range() const;
    /// Description of the measured range; empty without one.
    [[nodiscard]] QString measurement() const;

  private:
    TimelineScene& scene;
    Selection& selection;
    std::optional<SpanRef> current;
    std::optional<EventRef> currentRow;
    std::shared_ptr<const TimelineFlows> known;
    SpanFlows arrows;
};

}  // namespace et::visualizers
