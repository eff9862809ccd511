#pragma once

#include "visualizers/timeline/lane_painter.h"
#include "visualizers/timeline/timeline_flows.h"
#include "visualizers/timeline/timeline_layout.h"
#include "visualizers/timeline/timeline_scene.h"

#include <QPalette>

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

class QPainter;

namespace et::visualizers {

/// What of a timeline is shown, and what stands out.
struct TimelineShown {
    const ZoomRange& window;           ///< in ticks from the timeline's origin
    std::optional<TickRange> range{};  ///< measured, in ticks of the trace
    std::optional<SpanPlace> chosen{};
    std::optional<EventRef> chosenRow{};  ///< of the first timeline
    std::optional<EventRef> hovered{};    ///< likewise
    const SpanFlows* flows = nullptr;     ///< of `chosen`; null: none are known
};

/// Paints a scene. Remembers what does not change from frame to frame, so that a frame costs what the
/// screen's width costs.
class TimelinePainter {
  public:
    /// `scene` must outlive it.
    explicit TimelinePainter(const TimelineScene& shown) : scene(shown) {}

    /// The scene has another timeline.
    void setTimeline(std::size_t layer);
    /// Colours or fonts have changed.
    void restyle(const QPalette& palette);
    void paint(QPainter& painter, const TimelineLayout& layout, const TimelineShown& shown);

  private:
    void paintAxis(QPainter& painter, const TimelineLayout& layout, const ZoomRange& window) const;
    void paintLayer(QPainter& painter, const TimelineLayout& layout, const TimelineShown& shown,
                    std::size_t layer);
    void paintLanes(QPainter& painter, const TimelineLayout& layout, const TimelineShown& shown,
                    std::size_t layer);
    void paintMemory(QPainter& painter, const TimelineLayout& layout, const ZoomRange& window);
    void paintCounters(QPainter& painter, const TimelineLayout& layout, const ZoomRange& window) const;
    void paintMarkers(QPainter& painter, const TimelineLayout& layout, const ZoomRange& window,
                      std::size_t layer) const;
    void paintPins(QPainter& painter, const TimelineLayout& layout, const ZoomRange& window) const;
    void paintRange(QPainter& painter, const TimelineLayout& layout, const TimelineShown& shown) const;
    void paintChosen(QPainter& painter, const TimelineLayout& layout, const TimelineShown& shown) const;
    void paintFlows(QPainter& painter, const TimelineLayout& layout, const TimelineShown& shown) const;
    void paintArrow(QPainter& painter, const QPointF& from, const QPointF& to) const;

    const TimelineScene& scene;
    std::array<LanePainter, TimelineScene::layerCount> lanes;
    QPalette colours;
    std::vector<Lane::Piece> pieces;  ///< of the lane that is asked for its memory
};

}  // namespace et::visualizers
