#pragma once

#include "visualizers/timeline/timeline_scene.h"
#include "visualizers/toolkit/zoom_range.h"

#include <QFontMetrics>
#include <QRectF>
#include <QSize>

#include <array>
#include <cstddef>
#include <optional>

namespace et::visualizers {

/// Where the lanes of a scene stand in a widget, in its pixels: an axis on top, then each timeline with its
/// name (where there are two), its executions and its lanes.
class TimelineLayout {
  public:
    /// `scrolled`: pixels that all below the axis is moved up.
    TimelineLayout(const TimelineScene& scene, const QFontMetrics& metrics, const QSize& size, int scrolled);

    [[nodiscard]] int width() const { return area.width(); }
    [[nodiscard]] int height() const { return area.height(); }
    /// Of a line of text.
    [[nodiscard]] int lineHeight() const { return line; }
    [[nodiscard]] int axisHeight() const;
    [[nodiscard]] int laneHeight() const;
    [[nodiscard]] int layerTop(std::size_t layer) const;
    [[nodiscard]] int layerBottom(std::size_t layer) const { return layerTop(layer) + layerHeight(layer); }
    /// Of the row with its executions.
    [[nodiscard]] int runsTop(std::size_t layer) const;
    [[nodiscard]] int laneTop(std::size_t layer, std::size_t lane) const;
    /// How far it can be scrolled.
    [[nodiscard]] int maxScroll() const;

    struct LanePlace {
        std::size_t layer;
        std::size_t lane;
    };
    [[nodiscard]] std::optional<LanePlace> laneAt(double y) const;
    /// Where a bar from one time to another is; empty where it is not on screen.
    [[nodiscard]] QRectF barRect(std::size_t layer, std::size_t lane, double start, double end,
                                 const ZoomRange& window) const;

  private:
    [[nodiscard]] int layerHeight(std::size_t layer) const;
    [[nodiscard]] int headHeight() const;

    QSize area;
    int line;
    int scroll;
    bool overlaid;
    bool marked = false;  ///< there are markers below the axis
    std::array<std::size_t, TimelineScene::layerCount> lanes{};
};

}  // namespace et::visualizers
