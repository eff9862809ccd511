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

/// View state and highlights of a timeline.
struct TimelineShown {
    const ZoomRange& window;           ///< in ticks from the timeline's origin
    std::optional<TickRange> range{};  ///< measured range in ticks of the trace
    std::optional<SpanRef> chosen{};
    std::optional<EventRef> chosenRow{};  ///< in the first timeline
    std::optional<EventRef> hovered{};    ///< likewise
    std::optional<EventRef> current{};    ///< likewise; of the debugger
    const SpanFlows* flows = nullptr;     ///< arrows of `chosen`; null: unknown
};

/// Paints a scene. Caches data between frames, so that the cost of a frame depends on the screen's width.
class TimelinePainter {
  public:
    /// `scene` must outlive the painter.
    explicit TimelinePainter(const TimelineScene& shown) : scene(shown) {}

    /// Call when the scene has another timeline.
    void setTimeline(std::size_t layer);
    /// Call when colours or fonts have changed.
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
    std::vector<Lane::Piece> pieces;  ///< reused buffer for the lane whose memory is drawn
};

}  // namespace et::visualizers
