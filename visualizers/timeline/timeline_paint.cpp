// What a TimelineWidget paints.
#include "visualizers/selection.h"
#include "visualizers/toolkit/round_step.h"
#include "visualizers/timeline/timeline_widget.h"
#include "visualizers/toolkit/text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace et::visualizers {

namespace {

constexpr int axisGap = 6;
constexpr int laneGap = 2;
constexpr int lanePadding = 6;
constexpr int layerGap = 10;
constexpr int tickRoom = 110;  // pixels between marks of the axis
constexpr int markerGap = 4;

}  // namespace

int TimelineWidget::laneHeight() const {
    return fontMetrics().height() + lanePadding;
}

int TimelineWidget::axisHeight() const {
    const bool marked = std::ranges::any_of(
        layers, [](const Layer& layer) { return layer.timeline && !layer.timeline->markers.empty(); });
    return (marked ? 2 : 1) * fontMetrics().height() + axisGap;
}

/// The name of a layer and its executions, above its lanes.
int TimelineWidget::headHeight() const {
    return (overlaid() ? fontMetrics().height() + laneGap : 0) + fontMetrics().height() + laneGap;
}

int TimelineWidget::layerHeight(std::size_t layer) const {
    const auto& timeline = layers[layer].timeline;
    const auto lanes = timeline ? static_cast<int>(timeline->lanes.size()) : 0;
    return headHeight() + lanes * (laneHeight() + laneGap);
}

int TimelineWidget::layerTop(std::size_t layer) const {
    return axisHeight() - scrolled + (layer == 0 ? 0 : layerHeight(0) + layerGap);
}

int TimelineWidget::laneTop(std::size_t layer, std::size_t lane) const {
    return layerTop(layer) + headHeight() + static_cast<int>(lane) * (laneHeight() + laneGap);
}

QRectF TimelineWidget::rectOf(std::size_t lane, const Span& span, std::size_t layer) const {
    const double shift = layers[layer].shift;
    const double left = std::max(window.pixelOf(static_cast<double>(span.start) + shift), -1.0);
    const double right = std::min(window.pixelOf(static_cast<double>(span.end) + shift), width() + 1.0);
    return right < 0 || left > width()
               ? QRectF()
               : QRectF(left, laneTop(layer, lane), std::max(right - left, 1.0), laneHeight());
}

void TimelineWidget::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().base());
    if (!main()) {
        return;
    }
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
        paintLayer(painter, layer);
    }
    paintAxis(painter);
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
        paintMarkers(painter, layer);
    }
    paintRange(painter);
    paintChosen(painter);
}

void TimelineWidget::paintAxis(QPainter& painter) const {
    painter.fillRect(0, 0, width(), axisHeight() - 1, palette().base());
    const double unit = main()->ticksPerUnit;
    const double step = roundStep(window.perPixel() * tickRoom / unit) * unit;
    QColor line = palette().color(QPalette::Text);
    line.setAlpha(0x28);
    for (double time = std::ceil(window.from() / step) * step; time <= window.to(); time += step) {
        const double x = window.pixelOf(time);
        painter.setPen(line);
        painter.drawLine(QPointF(x, 0), QPointF(x, height()));
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(QPointF(x + 3, fontMetrics().ascent() + 1), timeText(time));
    }
}

void TimelineWidget::paintLayer(QPainter& painter, std::size_t layer) {
    Layer& shown = layers[layer];
    if (!shown.timeline) {
        return;
    }
    const int line = fontMetrics().height();
    int top = layerTop(layer);
    if (overlaid()) {
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(QRect(4, top, width() - 8, line), Qt::AlignLeft | Qt::AlignVCenter,
                         fontMetrics().elidedText(shown.name, Qt::ElideMiddle, width() - 8));
        top += line + laneGap;
    }
    shown.painter.paintRuns(painter, window, shown.shift, {0, top, width(), line});
    for (std::size_t lane = 0; lane < shown.timeline->lanes.size(); ++lane) {
        const int laneAt = laneTop(layer, lane);
        if (laneAt < height() && laneAt + laneHeight() > 0) {
            shown.painter.paintLane(painter, shown.timeline->lanes[lane], window, shown.shift,
                                    {0, laneAt, width(), laneHeight()});
        }
    }
}

/// Loading and initializing: a line through the lanes, named in the row below the axis as far as there is
/// room.
void TimelineWidget::paintMarkers(QPainter& painter, std::size_t layer) const {
    const Layer& shown = layers[layer];
    if (!shown.timeline) {
        return;
    }
    const int line = fontMetrics().height();
    double free = 0;
    for (const TimelineMarker& marker : shown.timeline->markers) {
        const double x = window.pixelOf(static_cast<double>(marker.start) + shown.shift);
        if (x < -1 || x > width()) {
            continue;
        }
        painter.setPen(QPen(palette().color(QPalette::Link), 1, Qt::DashLine));
        painter.drawLine(QPointF(x, line), QPointF(x, layerTop(layer) + layerHeight(layer)));
        const QString label = QStringLiteral("▼ %1 %2").arg(
            toQString(marker.name), timeText(static_cast<double>(marker.end - marker.start)));
        if (x >= free && layer == 0) {
            painter.drawText(QPointF(x + 1, line + fontMetrics().ascent() + 1), label);
            free = x + fontMetrics().horizontalAdvance(label) + markerGap;
        }
    }
}

void TimelineWidget::paintRange(QPainter& painter) const {
    const auto range = chosen.range();
    if (!range || range->first < main()->origin) {
        return;
    }
    const double left = window.pixelOf(static_cast<double>(range->first - main()->origin));
    const double right = window.pixelOf(static_cast<double>(range->last - main()->origin));
    QColor colour = palette().color(QPalette::Highlight);
    painter.setPen(colour);
    painter.drawLine(QPointF(left, 0), QPointF(left, height()));
    painter.drawLine(QPointF(right, 0), QPointF(right, height()));
    colour.setAlpha(0x30);
    painter.fillRect(QRectF(left, 0, right - left, height()), colour);
}

void TimelineWidget::paintChosen(QPainter& painter) const {
    if (!current) {
        return;
    }
    painter.setClipRect(0, axisHeight(), width(), height() - axisHeight());
    painter.setPen(QPen(palette().color(QPalette::Text), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rectOf(current->lane, current->span, current->layer));
}

}  // namespace et::visualizers
