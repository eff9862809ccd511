#include "visualizers/timeline/timeline_painter.h"

#include "visualizers/timeline/timeline_text.h"
#include "visualizers/toolkit/round_step.h"
#include "visualizers/toolkit/text.h"

#include <QFontMetrics>
#include <QPainter>

#include <cmath>

namespace et::visualizers {

namespace {

constexpr int tickRoom = 110;  // pixels between marks of the axis
constexpr int markerGap = 4;
constexpr int nameMargin = 4;
constexpr int tickAlpha = 0x28;
constexpr int rangeAlpha = 0x30;

}  // namespace

void TimelinePainter::setTimeline(std::size_t layer) {
    lanes[layer].setTimeline(scene.layer(layer).timeline);
    restyle(colours);
}

void TimelinePainter::restyle(const QPalette& palette) {
    colours = palette;
    for (LanePainter& each : lanes) {
        each.restyle(palette);
    }
}

void TimelinePainter::paint(QPainter& painter, const TimelineLayout& layout, const TimelineShown& shown) {
    for (std::size_t layer = 0; layer < TimelineScene::layerCount; ++layer) {
        paintLayer(painter, layout, shown.window, layer);
    }
    paintAxis(painter, layout, shown.window);
    for (std::size_t layer = 0; layer < TimelineScene::layerCount; ++layer) {
        paintMarkers(painter, layout, shown.window, layer);
    }
    paintRange(painter, layout, shown);
    paintChosen(painter, layout, shown);
}

void TimelinePainter::paintAxis(QPainter& painter, const TimelineLayout& layout,
                                const ZoomRange& window) const {
    painter.fillRect(0, 0, layout.width(), layout.axisHeight() - 1, colours.base());
    const Timeline& timeline = *scene.timeline();
    const double unit = timeline.ticksPerUnit;
    const double step = roundStep(window.perPixel() * tickRoom / unit) * unit;
    QColor line = colours.color(QPalette::Text);
    line.setAlpha(tickAlpha);
    for (double time = std::ceil(window.from() / step) * step; time <= window.to(); time += step) {
        const double x = window.pixelOf(time);
        painter.setPen(line);
        painter.drawLine(QPointF(x, 0), QPointF(x, layout.height()));
        painter.setPen(colours.color(QPalette::Text));
        painter.drawText(QPointF(x + 3, painter.fontMetrics().ascent() + 1), timeText(timeline, time));
    }
}

void TimelinePainter::paintLayer(QPainter& painter, const TimelineLayout& layout, const ZoomRange& window,
                                 std::size_t layer) {
    const TimelineScene::Layer& shown = scene.layer(layer);
    if (!shown.timeline) {
        return;
    }
    const int line = layout.lineHeight();
    if (scene.overlaid()) {
        const int room = layout.width() - 2 * nameMargin;
        painter.setPen(colours.color(QPalette::Text));
        painter.drawText(QRect(nameMargin, layout.layerTop(layer), room, line),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(shown.name, Qt::ElideMiddle, room));
    }
    lanes[layer].paintRuns(painter, window, shown.shift, {0, layout.runsTop(layer), layout.width(), line});
    for (std::size_t lane = 0; lane < shown.timeline->lanes.size(); ++lane) {
        const int top = layout.laneTop(layer, lane);
        if (top < layout.height() && top + layout.laneHeight() > 0) {
            lanes[layer].paintLane(painter, shown.timeline->lanes[lane], window, shown.shift,
                                   {0, top, layout.width(), layout.laneHeight()}, shown.matching);
        }
    }
}

/// Loading and initializing: a line through the lanes, named in the row below the axis as far as there is
/// room.
void TimelinePainter::paintMarkers(QPainter& painter, const TimelineLayout& layout, const ZoomRange& window,
                                   std::size_t layer) const {
    const TimelineScene::Layer& shown = scene.layer(layer);
    if (!shown.timeline) {
        return;
    }
    const int line = layout.lineHeight();
    double free = 0;
    for (const TimelineMarker& marker : shown.timeline->markers) {
        const double x = window.pixelOf(static_cast<double>(marker.start) + shown.shift);
        if (x < -1 || x > layout.width()) {
            continue;
        }
        painter.setPen(QPen(colours.color(QPalette::Link), 1, Qt::DashLine));
        painter.drawLine(QPointF(x, line), QPointF(x, layout.layerBottom(layer)));
        const QString label = QStringLiteral("▼ %1 %2").arg(
            toQString(marker.name),
            timeText(*shown.timeline, static_cast<double>(marker.end - marker.start)));
        if (x >= free && layer == 0) {
            painter.drawText(QPointF(x + 1, line + painter.fontMetrics().ascent() + 1), label);
            free = x + painter.fontMetrics().horizontalAdvance(label) + markerGap;
        }
    }
}

void TimelinePainter::paintRange(QPainter& painter, const TimelineLayout& layout,
                                 const TimelineShown& shown) const {
    const std::uint64_t origin = scene.timeline()->origin;
    if (!shown.range || shown.range->first < origin) {
        return;
    }
    const double left = shown.window.pixelOf(static_cast<double>(shown.range->first - origin));
    const double right = shown.window.pixelOf(static_cast<double>(shown.range->last - origin));
    QColor colour = colours.color(QPalette::Highlight);
    painter.setPen(colour);
    painter.drawLine(QPointF(left, 0), QPointF(left, layout.height()));
    painter.drawLine(QPointF(right, 0), QPointF(right, layout.height()));
    colour.setAlpha(rangeAlpha);
    painter.fillRect(QRectF(left, 0, right - left, layout.height()), colour);
}

void TimelinePainter::paintChosen(QPainter& painter, const TimelineLayout& layout,
                                  const TimelineShown& shown) const {
    if (!shown.chosen) {
        return;
    }
    const auto [start, end] = scene.timesOf(*shown.chosen);
    painter.setClipRect(0, layout.axisHeight(), layout.width(), layout.height() - layout.axisHeight());
    painter.setPen(QPen(colours.color(QPalette::Text), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(layout.barRect(shown.chosen->layer, shown.chosen->lane, start, end, shown.window));
}

}  // namespace et::visualizers
