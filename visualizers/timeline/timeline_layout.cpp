#include "visualizers/timeline/timeline_layout.h"

#include <algorithm>

namespace et::visualizers {

namespace {

constexpr int axisGap = 6;
constexpr int laneGap = 2;
constexpr int lanePadding = 6;
constexpr int layerGap = 10;

}  // namespace

TimelineLayout::TimelineLayout(const TimelineScene& scene, const QFontMetrics& metrics, const QSize& size,
                               int scrolled)
    : area(size), line(metrics.height()), scroll(scrolled), overlaid(scene.overlaid()) {
    for (std::size_t layer = 0; layer < TimelineScene::layerCount; ++layer) {
        if (const auto& timeline = scene.layer(layer).timeline) {
            lanes[layer] = timeline->lanes.size();
            marked = marked || !timeline->markers.empty();
        }
    }
}

int TimelineLayout::laneHeight() const {
    return line + lanePadding;
}

int TimelineLayout::axisHeight() const {
    return (marked ? 2 : 1) * line + axisGap;
}

/// The name of a layer and its executions, above its lanes.
int TimelineLayout::headHeight() const {
    return (overlaid ? line + laneGap : 0) + line + laneGap;
}

int TimelineLayout::layerHeight(std::size_t layer) const {
    return headHeight() + static_cast<int>(lanes[layer]) * (laneHeight() + laneGap);
}

int TimelineLayout::layerTop(std::size_t layer) const {
    return axisHeight() - scroll + (layer == 0 ? 0 : layerHeight(0) + layerGap);
}

int TimelineLayout::runsTop(std::size_t layer) const {
    return layerTop(layer) + (overlaid ? line + laneGap : 0);
}

int TimelineLayout::laneTop(std::size_t layer, std::size_t lane) const {
    return layerTop(layer) + headHeight() + static_cast<int>(lane) * (laneHeight() + laneGap);
}

int TimelineLayout::maxScroll() const {
    return std::max(layerBottom(1) + scroll - area.height(), 0);
}

std::optional<TimelineLayout::LanePlace> TimelineLayout::laneAt(double y) const {
    for (std::size_t layer = 0; layer < lanes.size() && y >= axisHeight(); ++layer) {
        for (std::size_t lane = 0; lane < lanes[layer]; ++lane) {
            const int top = laneTop(layer, lane);
            if (y >= top && y < top + laneHeight()) {
                return LanePlace{layer, lane};
            }
        }
    }
    return std::nullopt;
}

QRectF TimelineLayout::barRect(std::size_t layer, std::size_t lane, double start, double end,
                               const ZoomRange& window) const {
    const double left = std::max(window.pixelOf(start), -1.0);
    const double right = std::min(window.pixelOf(end), area.width() + 1.0);
    return right < 0 || left > area.width()
               ? QRectF()
               : QRectF(left, laneTop(layer, lane), std::max(right - left, 1.0), laneHeight());
}

}  // namespace et::visualizers
