#include "visualizers/timeline/timeline_painter.h"

#include "inspector/format/quantities.h"
#include "inspector/plot/time_axis.h"
#include "visualizers/timeline/timeline_text.h"
#include "visualizers/toolkit/plot_widget.h"
#include "visualizers/toolkit/text.h"

#include <QFontMetrics>
#include <QPainter>
#include <QPainterPath>
#include <QPolygonF>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

namespace et::visualizers {

namespace plot = inspector::plot;

namespace {

constexpr int markerGap = 4;
constexpr int nameMargin = 4;
constexpr int axisLabelGap = 2;
constexpr int rangeAlpha = 0x30;
constexpr int memoryAlpha = 0x70;
constexpr int pinHeight = 3;
// Arrow geometry: depth of the arc as a fraction of its length and in pixels, and the head.
constexpr double arcPart = 6;
constexpr double minArc = 18;
constexpr double maxArc = 60;
constexpr double arrowWing = 3.5;
constexpr double arrowLength = 8;

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
        paintLayer(painter, layout, shown, layer);
    }
    paintMemory(painter, layout, shown.window);
    paintCounters(painter, layout, shown.window);
    paintAxis(painter, layout, shown.window);
    for (std::size_t layer = 0; layer < TimelineScene::layerCount; ++layer) {
        paintMarkers(painter, layout, shown.window, layer);
    }
    paintPins(painter, layout, shown.window);
    paintRange(painter, layout, shown);
    paintChosen(painter, layout, shown);
}

void TimelinePainter::paintAxis(QPainter& painter, const TimelineLayout& layout,
                                const ZoomRange& window) const {
    painter.fillRect(0, 0, layout.width(), layout.axisHeight() - 1, colours.base());
    const Timeline& timeline = *scene.timeline();
    const double line = layout.lineHeight();
    const double below = line + axisLabelGap;
    plot::Scene axis;
    plot::addTimeAxis(
        axis,
        {.area = {.x = 0, .y = below, .width = double(layout.width()), .height = layout.height() - below},
         .lineHeight = line},
        window.from() / timeline.ticksPerUnit, window.to() / timeline.ticksPerUnit,
        inspector::format::measureOf(timeline.blocks->options().target));
    paintScene(painter, axis, colours);
}

void TimelinePainter::paintLayer(QPainter& painter, const TimelineLayout& layout, const TimelineShown& view,
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
    if (!shown.timeline->isOneRun()) {
        lanes[layer].paintRuns(painter, view.window, shown.shift,
                               {0, layout.runsTop(layer), layout.width(), line});
    }
    paintLanes(painter, layout, view, layer);
}

void TimelinePainter::paintLanes(QPainter& painter, const TimelineLayout& layout, const TimelineShown& view,
                                 std::size_t layer) {
    const TimelineScene::Layer& shown = scene.layer(layer);
    const bool sameRows = shown.timeline->blocks == scene.timeline()->blocks;
    const LanePainter::Emphasis emphasis{
        .matching = shown.matching,
        .chosen = sameRows ? view.chosenRow : std::nullopt,
        .hovered = sameRows ? view.hovered : std::nullopt,
        .elsewhere = scene.showsDifference() ? &shown.elsewhere : nullptr,
        .pinned = sameRows ? std::span(scene.pinnedRows()) : std::span<const EventRef>(),
        .current = sameRows ? view.current : std::nullopt};
    for (std::size_t lane = 0; lane < shown.timeline->lanes.size(); ++lane) {
        const int top = layout.laneTop(layer, lane);
        const int height = layout.laneHeight(layer, lane);
        if (top >= layout.height() || top + height <= 0) {
            continue;
        }
        if (const std::string& title = shown.timeline->labels[lane].title; !title.empty()) {
            painter.setPen(colours.color(QPalette::PlaceholderText));
            painter.drawText(layout.titleRect(layer, lane).adjusted(nameMargin, 0, -nameMargin, 0),
                             Qt::AlignLeft | Qt::AlignVCenter, toQString(title));
        }
        lanes[layer].paintLane(painter, shown.timeline->lanes[lane], view.window, shown.shift,
                               {0, top, layout.width(), height}, emphasis);
    }
}

/// Draws the plan's live bytes during each step as an area whose full height is the peak.
void TimelinePainter::paintMemory(QPainter& painter, const TimelineLayout& layout, const ZoomRange& window) {
    const TimelineMemory* const memory = scene.areas().memory.get();
    const QRect whole = layout.memoryRect();
    if (memory == nullptr || !scene.timeline() || whole.isEmpty() || whole.top() >= layout.height()) {
        return;
    }
    const QRect area = whole.adjusted(0, layout.lineHeight(), 0, 0);
    painter.setPen(colours.color(QPalette::PlaceholderText));
    painter.drawText(QRect(nameMargin, whole.top(), whole.width() - 2 * nameMargin, layout.lineHeight()),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     QStringLiteral("Live memory of the plan, peak %1")
                         .arg(toQString(inspector::format::readableBytes(memory->peak))));
    QColor fill = colours.color(QPalette::Highlight);
    fill.setAlpha(memoryAlpha);
    for (const std::size_t lane : memory->stepLanes) {
        const Lane& steps = scene.timeline()->lanes[lane];
        pieces.clear();
        steps.collect(static_cast<std::uint64_t>(std::max(window.from(), 0.0)),
                      static_cast<std::uint64_t>(std::max(window.to(), 0.0)) + 1,
                      static_cast<std::uint64_t>(window.perPixel()), pieces);
        for (const Lane::Piece& piece : pieces) {
            const std::uint64_t bytes = memory->bytes[steps.spans()[piece.longest].event];
            if (bytes == TimelineMemory::unknown) {
                continue;
            }
            const double left = std::max(window.pixelOf(static_cast<double>(piece.start)), 0.0);
            const double right =
                std::min(window.pixelOf(static_cast<double>(piece.end)), static_cast<double>(layout.width()));
            const double height =
                area.height() * static_cast<double>(bytes) / static_cast<double>(memory->peak);
            painter.fillRect(QRectF(left, area.bottom() + 1 - height, std::max(right - left, 1.0), height),
                             fill);
        }
    }
    painter.setPen(fill);
    painter.drawLine(area.bottomLeft(), area.bottomRight());
}

/// Draws each counter as an area whose full height is its peak. The cost depends on the width, not on the
/// number of steps.
void TimelinePainter::paintCounters(QPainter& painter, const TimelineLayout& layout,
                                    const ZoomRange& window) const {
    QColor fill = colours.color(QPalette::Link);
    fill.setAlpha(memoryAlpha);
    for (std::size_t i = 0; i < scene.areas().counters.size(); ++i) {
        const TimelineCounter& counter = scene.areas().counters[i];
        const QRect whole = layout.counterRect(i);
        const QRect area = whole.adjusted(0, layout.lineHeight(), 0, 0);
        painter.setPen(colours.color(QPalette::PlaceholderText));
        painter.drawText(whole.adjusted(nameMargin, 0, -nameMargin, 0), Qt::AlignLeft | Qt::AlignTop,
                         toQString(counter.title));
        int from = 0;
        for (int x = 0; x < layout.width(); x = from) {
            const std::uint64_t value = counter.at(window.valueAt(x + 1));
            for (from = x + 1; from < layout.width() && counter.at(window.valueAt(from + 1)) == value;) {
                ++from;
            }
            const double height =
                area.height() * static_cast<double>(value) / static_cast<double>(counter.peak);
            painter.fillRect(QRectF(x, area.bottom() + 1 - height, from - x, height), fill);
        }
        painter.setPen(fill);
        painter.drawLine(area.bottomLeft(), area.bottomRight());
    }
}

/// Draws loading and initialization as lines through the lanes, with names in the row below the axis if there
/// is space.
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

/// Draws marked ranges as brackets over the axis.
void TimelinePainter::paintPins(QPainter& painter, const TimelineLayout& layout,
                                const ZoomRange& window) const {
    const int bottom = layout.axisHeight() - 1;
    for (const TimelinePin& pin : scene.pins()) {
        if (!pin.range || !pin.start) {
            continue;
        }
        const double left = std::max(window.pixelOf(static_cast<double>(*pin.start)), -1.0);
        const auto end = static_cast<double>(*pin.start + (pin.range->last - pin.range->first));
        const double right = std::min(window.pixelOf(end), layout.width() + 1.0);
        if (right < 0 || left > layout.width()) {
            continue;
        }
        painter.fillRect(QRectF(left, bottom - pinHeight, std::max(right - left, 2.0), pinHeight),
                         colours.color(QPalette::Link));
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
    if (shown.flows != nullptr) {
        paintFlows(painter, layout, shown);
    }
}

/// Draws arrows from the producers of the current step's inputs and to the consumers of its outputs.
void TimelinePainter::paintFlows(QPainter& painter, const TimelineLayout& layout,
                                 const TimelineShown& shown) const {
    const auto edgeOf = [&](const SpanRef& place, bool end) {
        const auto times = scene.timesOf(place);
        return QPointF(
            shown.window.pixelOf(end ? times.second : times.first),
            layout.laneTop(place.layer, place.lane) + layout.laneHeight(place.layer, place.lane) / 2.0);
    };
    painter.setRenderHint(QPainter::Antialiasing);
    for (const SpanRef& each : shown.flows->before) {
        paintArrow(painter, edgeOf(each, true), edgeOf(*shown.chosen, false));
    }
    for (const SpanRef& each : shown.flows->after) {
        paintArrow(painter, edgeOf(*shown.chosen, true), edgeOf(each, false));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

/// Draws an arc below the bars, so that it does not cross their names.
void TimelinePainter::paintArrow(QPainter& painter, const QPointF& from, const QPointF& to) const {
    const double depth = std::clamp(std::abs(to.x() - from.x()) / arcPart, minArc, maxArc);
    QPainterPath arc(from);
    arc.cubicTo(from + QPointF(0, depth), to + QPointF(0, depth), to);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colours.color(QPalette::Base), 4));
    painter.drawPath(arc);  // an outline for contrast with bars of any colour
    painter.setPen(QPen(colours.color(QPalette::Text), 1.5));
    painter.drawPath(arc);
    painter.setBrush(colours.color(QPalette::Text));
    painter.drawPolygon(
        QPolygonF{to, to + QPointF(-arrowWing, arrowLength), to + QPointF(arrowWing, arrowLength)});
}

}  // namespace et::visualizers
