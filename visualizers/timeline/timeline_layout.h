#pragma once

#include "visualizers/timeline/timeline_scene.h"
#include "visualizers/toolkit/zoom_range.h"

#include <QFontMetrics>
#include <QRect>
#include <QRectF>
#include <QSize>

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace et::visualizers {

/// Layout of a scene in widget pixels: an axis on top, then each timeline with its name (if there are two),
/// its executions, its lanes below their titles, and its memory. Lanes and memory grow to fill the widget as
/// far as this improves readability.
class TimelineLayout {
  public:
    /// `scrolled`: scroll offset in pixels of everything below the axis.
    TimelineLayout(const TimelineScene& scene, const QFontMetrics& metrics, const QSize& size, int scrolled);

    [[nodiscard]] int width() const { return area.width(); }
    [[nodiscard]] int height() const { return area.height(); }
    /// Height of a text line.
    [[nodiscard]] int lineHeight() const { return line; }
    [[nodiscard]] int axisHeight() const;
    [[nodiscard]] int layerTop(std::size_t layer) const { return layers[layer].top - scroll; }
    [[nodiscard]] int layerBottom(std::size_t layer) const { return layers[layer].bottom - scroll; }
    /// Top of the row of executions; a typical run has none, because it is one execution.
    [[nodiscard]] int runsTop(std::size_t layer) const;
    [[nodiscard]] int laneTop(std::size_t layer, std::size_t lane) const;
    [[nodiscard]] int laneHeight(std::size_t layer, std::size_t lane) const;
    /// The title line above a lane.
    [[nodiscard]] QRect titleRect(std::size_t layer, std::size_t lane) const;
    /// The memory area of the first timeline, with a title line on top; empty if there is none, or no space
    /// next to two timelines.
    [[nodiscard]] QRect memoryRect() const;
    /// The area of a counter below the memory area, with the same rules.
    [[nodiscard]] QRect counterRect(std::size_t counter) const;
    /// Maximum scroll offset.
    [[nodiscard]] int maxScroll() const;

    struct LaneRef {
        std::size_t layer;
        std::size_t lane;
    };
    [[nodiscard]] std::optional<LaneRef> laneAt(double y) const;
    /// Rectangle of a bar between two times; empty if it is not on screen.
    [[nodiscard]] QRectF barRect(std::size_t layer, std::size_t lane, double start, double end,
                                 const ZoomRange& window) const;

  private:
    struct LaneRows {
        int top;
        int height;
    };
    struct LayerRows {
        int top = 0;
        int bottom = 0;
        std::vector<LaneRows> lanes{};
    };

    /// Places all rows with lanes `more` pixels higher than the minimum; returns the bottom.
    int place(const TimelineScene& scene, int more, int memory);
    int placeLayer(const Timeline& timeline, LayerRows& rows, int y, int more) const;

    QSize area;
    int line;
    int padding;  ///< of a lane, in addition to its text line
    int gap;      ///< between rows
    int scroll;
    bool overlaid;
    bool marked = false;  ///< markers below the axis
    int memoryTop = 0;
    int memoryHeight = 0;
    int countersTop = 0;
    int bottom = 0;
    std::array<LayerRows, TimelineScene::layerCount> layers{};
};

}  // namespace et::visualizers
