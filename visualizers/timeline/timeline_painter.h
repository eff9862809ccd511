#pragma once

#include "visualizers/timeline/lane_painter.h"
#include "visualizers/timeline/timeline_layout.h"
#include "visualizers/timeline/timeline_scene.h"

#include <QPalette>

#include <array>
#include <cstddef>
#include <optional>

class QPainter;

namespace et::visualizers {

/// What of a timeline is shown, and what stands out.
struct TimelineShown {
    const ZoomRange& window;           ///< in ticks from the timeline's origin
    std::optional<TickRange> range{};  ///< measured, in ticks of the trace
    std::optional<SpanPlace> chosen{};
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
    void paintLayer(QPainter& painter, const TimelineLayout& layout, const ZoomRange& window,
                    std::size_t layer);
    void paintMarkers(QPainter& painter, const TimelineLayout& layout, const ZoomRange& window,
                      std::size_t layer) const;
    void paintRange(QPainter& painter, const TimelineLayout& layout, const TimelineShown& shown) const;
    void paintChosen(QPainter& painter, const TimelineLayout& layout, const TimelineShown& shown) const;

    const TimelineScene& scene;
    std::array<LanePainter, TimelineScene::layerCount> lanes;
    QPalette colours;
};

}  // namespace et::visualizers
