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

/// Where the lanes of a scene stand in a widget, in its pixels: an axis on top, then each timeline with its
/// name (where there are two), its executions, its lanes below their titles, and its memory. Lanes and memory
/// grow until they fill the widget, as far as that makes them easier to read.
class TimelineLayout {
  public:
    /// `scrolled`: pixels that all below the axis is moved up.
    TimelineLayout(const TimelineScene& scene, const QFontMetrics& metrics, const QSize& size, int scrolled);

    [[nodiscard]] int width() const { return area.width(); }
    [[nodiscard]] int height() const { return area.height(); }
    /// Of a line of text.
    [[nodiscard]] int lineHeight() const { return line; }
    [[nodiscard]] int axisHeight() const;
    [[nodiscard]] int layerTop(std::size_t layer) const { return layers[layer].top - scroll; }
    [[nodiscard]] int layerBottom(std::size_t layer) const { return layers[layer].bottom - scroll; }
    /// Of the row with its executions; a typical run, which is one, has none.
    [[nodiscard]] int runsTop(std::size_t layer) const;
    [[nodiscard]] int laneTop(std::size_t layer, std::size_t lane) const;
    [[nodiscard]] int laneHeight(std::size_t layer, std::size_t lane) const;
    /// The line above a lane that has a title.
    [[nodiscard]] QRect titleRect(std::size_t layer, std::size_t lane) const;
    /// The memory of the first timeline, with a line for its title on top; empty: there is none, or no room
    /// for it beside two timelines.
    [[nodiscard]] QRect memoryRect() const;
    /// A counter below that, likewise.
    [[nodiscard]] QRect counterRect(std::size_t counter) const;
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
    struct LaneRows {
        int top;
        int height;
    };
    struct LayerRows {
        int top = 0;
        int bottom = 0;
        std::vector<LaneRows> lanes{};
    };

    /// Places all rows with lanes that grow by `more` pixels; returns where they end.
    int place(const TimelineScene& scene, int more, int memory);
    int placeLayer(const Timeline& timeline, LayerRows& rows, int y, int more) const;

    QSize area;
    int line;
    int padding;  ///< of a lane, beside its line of text
    int gap;      ///< between rows
    int scroll;
    bool overlaid;
    bool marked = false;  ///< there are markers below the axis
    int memoryTop = 0;
    int memoryHeight = 0;
    int countersTop = 0;
    int bottom = 0;
    std::array<LayerRows, TimelineScene::layerCount> layers{};
};

}  // namespace et::visualizers
