#include "visualizers/timeline/timeline_layout.h"

#include <algorithm>

namespace et::visualizers {

namespace {

constexpr int axisGap = 6;
constexpr int laneGap = 2;
/// Padding of a lane's text, and minimum values if two timelines would not fit otherwise.
constexpr int lanePadding = 6;
constexpr int leastPadding = 1;
constexpr int leastGap = 1;
constexpr int layerGap = 10;
constexpr int mostLines = 6;  // maximum useful height of a lane in text lines
constexpr int leastMemoryLines = 3;
constexpr int mostMemoryLines = 9;
constexpr int counterLines = 4;  // including its title

/// Phases consist of names only; all other lanes benefit from more height.
bool grows(const LaneLabel& label) {
    return label.kind != LaneKind::Phases && label.kind != LaneKind::Generation;
}

}  // namespace

TimelineLayout::TimelineLayout(const TimelineScene& scene, const QFontMetrics& metrics, const QSize& size,
                               int scrolled)
    : area(size),
      line(metrics.height()),
      padding(lanePadding),
      gap(laneGap),
      scroll(scrolled),
      overlaid(scene.overlaid()) {
    int growing = 0;
    for (std::size_t layer = 0; layer < TimelineScene::layerCount; ++layer) {
        if (const auto& timeline = scene.layer(layer).timeline) {
            marked = marked || !timeline->markers.empty();
            growing += static_cast<int>(std::ranges::count_if(timeline->labels, grows));
        }
    }
    bool remembers = scene.areas().memory != nullptr;
    int least = remembers ? leastMemoryLines * line : 0;
    int used = place(scene, 0, least);
    if (remembers && overlaid && used > area.height()) {
        remembers = false;  // seeing both timelines is more important
        used = place(scene, 0, least = 0);
    }
    if (overlaid && used > area.height()) {
        const int lanes = static_cast<int>(layers[0].lanes.size() + layers[1].lanes.size());
        const int over = used - area.height();
        padding = std::max(padding - (over + lanes - 1) / std::max(lanes, 1), leastPadding);
        gap = leastGap;
        used = place(scene, 0, least);
    }
    const int spare = std::max(area.height() - used - gap, 0);
    const int mostMore = (mostLines - 1) * line;
    const int more = growing == 0 ? 0 : std::min(spare / (growing + (remembers ? 1 : 0)), mostMore);
    const int memory = remembers ? std::min(least + spare - more * growing, mostMemoryLines * line) : 0;
    bottom = place(scene, more, memory);
}

int TimelineLayout::place(const TimelineScene& scene, int more, int memory) {
    int y = axisHeight();
    for (std::size_t layer = 0; layer < TimelineScene::layerCount; ++layer) {
        const auto& timeline = scene.layer(layer).timeline;
        y += layer > 0 && timeline ? layerGap * gap / laneGap : 0;
        layers[layer].top = y;
        if (timeline) {
            y = placeLayer(*timeline, layers[layer], y, more);
        }
        if (layer == 0) {
            memoryTop = y;
            memoryHeight = memory;
            y += memory > 0 ? memory + gap : 0;
            countersTop = y;
            y += static_cast<int>(scene.areas().counters.size()) * (counterLines * line + gap);
        }
        layers[layer].bottom = y;
    }
    return y;
}

/// Places the name of a layer and its executions, then its lanes.
int TimelineLayout::placeLayer(const Timeline& timeline, LayerRows& rows, int y, int more) const {
    y += (overlaid ? line + gap : 0) + (timeline.isOneRun() ? 0 : line + gap);
    rows.lanes.clear();
    for (const LaneLabel& label : timeline.labels) {
        y += label.title.empty() ? 0 : line;
        const int height = line + padding + (grows(label) ? more : 0);
        rows.lanes.push_back({.top = y, .height = height});
        y += height + gap;
    }
    return y;
}

int TimelineLayout::axisHeight() const {
    return (marked ? 2 : 1) * line + axisGap;
}

int TimelineLayout::runsTop(std::size_t layer) const {
    return layerTop(layer) + (overlaid ? line + gap : 0);
}

int TimelineLayout::laneTop(std::size_t layer, std::size_t lane) const {
    return layers[layer].lanes[lane].top - scroll;
}

int TimelineLayout::laneHeight(std::size_t layer, std::size_t lane) const {
    return layers[layer].lanes[lane].height;
}

QRect TimelineLayout::titleRect(std::size_t layer, std::size_t lane) const {
    return {0, laneTop(layer, lane) - line, area.width(), line};
}

QRect TimelineLayout::memoryRect() const {
    return {0, memoryTop - scroll, area.width(), memoryHeight};
}

QRect TimelineLayout::counterRect(std::size_t counter) const {
    const int height = counterLines * line;
    return {0, countersTop + static_cast<int>(counter) * (height + gap) - scroll, area.width(), height};
}

int TimelineLayout::maxScroll() const {
    return std::max(bottom - area.height(), 0);
}

std::optional<TimelineLayout::LaneRef> TimelineLayout::laneAt(double y) const {
    for (std::size_t layer = 0; layer < layers.size() && y >= axisHeight(); ++layer) {
        for (std::size_t lane = 0; lane < layers[layer].lanes.size(); ++lane) {
            const int top = laneTop(layer, lane);
            if (y >= top && y < top + laneHeight(layer, lane)) {
                return LaneRef{layer, lane};
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
               : QRectF(left, laneTop(layer, lane), std::max(right - left, 1.0), laneHeight(layer, lane));
}

}  // namespace et::visualizers
