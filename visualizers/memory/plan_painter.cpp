#include "visualizers/memory/plan_painter.h"

#include "inspector/format/python_text.h"
#include "inspector/format/quantities.h"
#include "inspector/memory/memory_text.h"
#include "visualizers/toolkit/meaning_colour.h"
#include "visualizers/toolkit/text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace et::visualizers {

using inspector::Step;

namespace {

constexpr int labelWidth = 44;  // minimum width in pixels of a tensor with a label
constexpr int labelMargin = 4;
constexpr int tickRoom = 90;    // pixels between ticks of the axis
constexpr int tickHeight = 44;  // pixels between ticks of the offsets
constexpr int paleness = 0x28;
constexpr double paleMix = 0.85;  // background fraction of pale tensors
constexpr int curveHeight = 64;
constexpr int areaGap = 8;

QString bytesText(std::uint64_t bytes) {
    return QString::fromStdString(inspector::format::readableBytes(bytes));
}

QRgb blended(QRgb colour, const QColor& ground, double part) {
    const auto mix = [part](int of, int with) { return static_cast<int>(of * (1 - part) + with * part); };
    return qRgb(mix(qRed(colour), ground.red()), mix(qGreen(colour), ground.green()),
                mix(qBlue(colour), ground.blue()));
}

std::vector<QRgb> paintedColours(const PlanShown& shown, const QColor& ground) {
    std::vector<QRgb> colours = shown.shades.tensors;
    for (std::size_t i = 0; i < std::min(shown.matches.size(), colours.size()); ++i) {
        colours[i] = shown.matches[i] ? colours[i] : blended(colours[i], ground, paleMix);
    }
    return colours;
}

/// One paint pass over everything on top of and around the boxes.
class PlanPass {
  public:
    PlanPass(QPainter& on, const PlanShown& of, const PlanAreas& where, const QPalette& colours)
        : painter(on),
          shown(of),
          view(of.window),
          areas(where),
          palette(colours),
          metrics(on.fontMetrics()) {}

    void paintOffsets() const;
    void paintSteps() const;
    void paintCurve() const;
    void paintLabels() const;
    void paintMarks() const;
    void paintOutline(const PlanBox* box, int width) const;

  private:
    [[nodiscard]] const inspector::ArenaTimeline& arena() const { return shown.content.arena(); }
    [[nodiscard]] QString labelOf(const PlanBox& box) const;
    [[nodiscard]] QString placeText(double place) const;
    [[nodiscard]] double curveY(std::uint64_t live) const;

    QPainter& painter;
    const PlanShown& shown;
    const PlanWindow& view;
    const PlanAreas& areas;
    const QPalette& palette;
    QFontMetrics metrics;
};

void PlanPass::paintOffsets() const {
    const QRect plot = areas.plot;
    const double bytes =
        inspector::niceStep(view.y.to() - view.y.from(), std::max(plot.height() / tickHeight, 1), 16);
    QColor line = palette.color(QPalette::Text);
    line.setAlpha(paleness);
    for (double at = std::ceil(view.y.from() / bytes) * bytes; at <= view.y.to(); at += bytes) {
        const double y = plot.top() + plot.height() - view.y.pixelOf(at);
        painter.setPen(line);
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        painter.setPen(palette.color(QPalette::Text));
        const QRectF room(0, y - metrics.height() / 2.0, plot.left() - labelMargin, metrics.height());
        painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, bytesText(static_cast<std::uint64_t>(at)));
    }
}

QString PlanPass::placeText(double place) const {
    if (!view.axis.isTime()) {
        return place < 1 ? QStringLiteral("start") : QString::number(std::llround(place) - 1);
    }
    return timeText(place / shown.ticksPerUnit, shown.scale);
}

void PlanPass::paintSteps() const {
    const QRect plot = areas.plot;
    const double scale = view.axis.isTime() ? shown.ticksPerUnit : 1;
    // niceStep() supports only integers.
    constexpr double finer = 1e9;
    const double span = (view.x.to() - view.x.from()) / scale;
    const int parts = std::max(plot.width() / tickRoom, 1);
    const double every = view.axis.isTime() ? inspector::niceStep(span * finer, parts, 10) / finer * scale
                                            : inspector::niceStep(span, parts, 10);
    // Instruction 0 is one step after the start.
    const double first = view.axis.isTime() ? 0 : 1;
    QColor line = palette.color(QPalette::Text);
    line.setAlpha(paleness);
    const double from = std::max(std::ceil((view.x.from() - first) / every), 0.0);
    for (double at = first + from * every; at <= std::min(view.x.to(), view.axis.length() - first);
         at += every) {
        const double x = plot.left() + view.x.pixelOf(at);
        painter.setPen(line);
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        painter.setPen(palette.color(QPalette::Text));
        painter.drawText(QPointF(x + 2, plot.bottom() + metrics.ascent() + 3), placeText(at));
    }
}

double PlanPass::curveY(std::uint64_t live) const {
    const QRect area = areas.curve;
    const auto max =
        static_cast<double>(std::max({arena().plannedBytes, arena().peakBytes, std::uint64_t{1}}));
    return area.top() + area.height() * (1 - static_cast<double>(live) / max);
}

// Draws the maximum for each pixel.
void PlanPass::paintCurve() const {
    const QRect area = areas.curve;
    const auto& live = arena().liveBytes;
    QColor colour = palette.color(QPalette::Highlight);
    QColor ground = colour;
    ground.setAlpha(0x50);
    for (int pixel = 0; pixel < area.width(); ++pixel) {
        const Step first = view.axis.stepAt(view.x.valueAt(pixel));
        const Step last = view.axis.stepAt(view.x.valueAt(pixel + 0.999));
        std::uint64_t max = 0;
        for (Step at = first; at <= last; ++at) {
            max = std::max(max, live[static_cast<std::size_t>(at + 1)]);
        }
        const double top = curveY(max);
        painter.fillRect(QRectF(area.left() + pixel, top, 1, area.bottom() + 1 - top), ground);
        painter.fillRect(QRectF(area.left() + pixel, top, 1, 1.5), colour);
    }
    painter.setPen(QPen(meaningColour(inspector::format::Meaning::Error, palette), 1, Qt::DashLine));
    const double planned = curveY(arena().plannedBytes);
    painter.drawLine(QPointF(area.left(), planned), QPointF(area.right(), planned));
    painter.setPen(palette.color(QPalette::Text));
    const QRectF room(0, area.top(), area.left() - labelMargin, area.height());
    painter.drawText(
        room, Qt::AlignRight | Qt::AlignTop,
        QStringLiteral("%1\nalive").arg(bytesText(std::max(arena().plannedBytes, arena().peakBytes))));
}

QString PlanPass::labelOf(const PlanBox& box) const {
    const inspector::PlannedTensor& of = shown.content.timeline().tensors[box.tensor];
    return QStringLiteral("%1 %2").arg(of.value.value).arg(toQString(inspector::readableWriter(of)));
}

void PlanPass::paintLabels() const {
    const QRectF plot = areas.plot;
    const double line = metrics.height();
    for (const PlanBox& box : shown.content.boxes()) {
        // Boxes are sorted by size, largest first, and no lifetime exceeds the axis.
        if (static_cast<double>(box.bytes) / view.y.perPixel() < line) {
            break;
        }
        if (!view.shows(box) || (box.tensor < shown.matches.size() && !shown.matches[box.tensor])) {
            continue;
        }
        const QRectF room = view.rectOf(box)
                                .translated(plot.topLeft())
                                .intersected(plot)
                                .adjusted(labelMargin, 0, -labelMargin, 0);
        if (room.width() < labelWidth || room.height() < line) {
            continue;
        }
        painter.setPen(inkOn(QColor::fromRgb(shown.shades.tensors[box.tensor])));
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(labelOf(box), Qt::ElideRight, static_cast<int>(room.width())));
    }
}

void PlanPass::paintOutline(const PlanBox* box, int width) const {
    if (box != nullptr && view.shows(*box)) {
        painter.setPen(QPen(palette.color(QPalette::Text), width));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(view.rectOf(*box).translated(areas.plot.topLeft()).adjusted(0, 0, -1, -1));
    }
}

void PlanPass::paintMarks() const {
    const QRect plot = areas.plot;
    const QRectF all(plot.left(), areas.curve.top(), plot.width(), plot.bottom() + 1 - areas.curve.top());
    painter.setClipRect(all);
    const auto xOf = [&](double place) { return plot.left() + view.x.pixelOf(place); };
    if (shown.step) {
        QColor colour = palette.color(QPalette::Text);
        colour.setAlpha(paleness);
        const double left = xOf(view.axis.startOf(*shown.step));
        const double right = std::max(xOf(view.axis.endOf(*shown.step)), left + 1);
        painter.fillRect(QRectF(left, all.top(), right - left, all.height()), colour);
    }
    if (shown.marked) {
        QColor colour = palette.color(QPalette::Highlight);
        painter.setPen(colour);
        painter.drawLine(QPointF(xOf(shown.marked->from), all.top()),
                         QPointF(xOf(shown.marked->from), all.bottom()));
        painter.drawLine(QPointF(xOf(shown.marked->to), all.top()),
                         QPointF(xOf(shown.marked->to), all.bottom()));
        colour.setAlpha(paleness);
        painter.fillRect(QRectF(xOf(shown.marked->from), all.top(),
                                xOf(shown.marked->to) - xOf(shown.marked->from), all.height()),
                         colour);
    }
    const Step peak = arena().peakStep;
    const double x = (xOf(view.axis.startOf(peak)) + xOf(view.axis.endOf(peak))) / 2;
    painter.setPen(QPen(meaningColour(inspector::format::Meaning::Error, palette), 1));
    painter.drawLine(QPointF(x, all.top()), QPointF(x, all.bottom()));
    painter.setClipping(false);
}

}  // namespace

PlanAreas PlanAreas::of(const QSize& size, const QFontMetrics& metrics) {
    const int left = metrics.horizontalAdvance(QStringLiteral("1023.9 MiB")) + 2 * labelMargin;
    const int width = std::max(size.width() - left - areaGap, 1);
    const int top = curveHeight + 2 * areaGap;
    return {.curve = {left, areaGap, width, curveHeight},
            .plot = {left, top, width, std::max(size.height() - top - metrics.height() - areaGap, 1)}};
}

void PlanPainter::paint(QPainter& painter, const PlanShown& shown, const PlanAreas& areas,
                        const QPalette& palette) {
    if (layer.isNull()) {
        const QColor ground = palette.color(QPalette::Base);
        layer = planImage(shown.window, shown.content.boxes(), paintedColours(shown, ground), ground.rgb(),
                          painter.device()->devicePixelRatioF());
    }
    painter.drawImage(areas.plot.topLeft(), layer);
    const PlanPass pass(painter, shown, areas, palette);
    pass.paintOffsets();
    pass.paintSteps();
    pass.paintCurve();
    painter.setClipRect(areas.plot);
    pass.paintLabels();
    pass.paintOutline(shown.content.boxOf(shown.hovered), 1);
    pass.paintOutline(shown.content.boxOf(shown.tensor), 3);
    painter.setClipping(false);
    pass.paintMarks();
}

}  // namespace et::visualizers
