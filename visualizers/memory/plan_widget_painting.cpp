#include "inspector/format/python_text.h"
#include "inspector/format/quantities.h"
#include "visualizers/memory/plan_widget.h"
#include "visualizers/toolkit/text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace et::visualizers {

using inspector::Step;

namespace {

constexpr QRgb warning = 0xffcf222e;  // the planned bytes and the peak
constexpr int labelWidth = 44;        // pixels from which on a tensor has its name
constexpr int labelMargin = 4;
constexpr int tickRoom = 90;    // pixels between marks of the axis
constexpr int tickHeight = 44;  // and of the offsets
constexpr int paleness = 0x28;
constexpr double paleMix = 0.85;  // how much of the ground pale tensors have

QString bytesText(std::uint64_t bytes) {
    return QString::fromStdString(inspector::report::readableBytes(bytes));
}

QRgb mixed(QRgb colour, const QColor& ground, double part) {
    const auto mix = [part](int of, int with) { return static_cast<int>(of * (1 - part) + with * part); };
    return qRgb(mix(qRed(colour), ground.red()), mix(qGreen(colour), ground.green()),
                mix(qBlue(colour), ground.blue()));
}

}  // namespace

bool PlanWidget::isDark() const {
    return palette().color(QPalette::Base).lightness() < 128;
}

void PlanWidget::measureLabels() {
    labelRoom = fontMetrics().horizontalAdvance(QStringLiteral("1023.9 MiB")) + 2 * labelMargin;
}

void PlanWidget::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), palette().base());
    if (!plan) {
        return;
    }
    if (layer.isNull()) {
        layer = planImage(view, shownBoxes, paintedColours(), palette().color(QPalette::Base).rgb(),
                          devicePixelRatioF());
    }
    painter.drawImage(plotArea().topLeft(), layer);
    paintOffsets(painter);
    paintSteps(painter);
    paintCurve(painter);
    painter.setClipRect(plotArea());
    paintLabels(painter);
    paintOutline(painter, boxOf(hovered), 1);
    paintOutline(painter, boxOf(tensor), 3);
    painter.setClipping(false);
    paintMarks(painter);
}

std::vector<QRgb> PlanWidget::paintedColours() const {
    std::vector<QRgb> colours = shades.tensors;
    const QColor ground = palette().color(QPalette::Base);
    for (std::size_t i = 0; i < std::min(matches.size(), colours.size()); ++i) {
        colours[i] = matches[i] ? colours[i] : mixed(colours[i], ground, paleMix);
    }
    return colours;
}

void PlanWidget::paintOffsets(QPainter& painter) const {
    const QRect plot = plotArea();
    const double bytes =
        inspector::niceStep(view.y.to() - view.y.from(), std::max(plot.height() / tickHeight, 1), 16);
    QColor line = palette().color(QPalette::Text);
    line.setAlpha(paleness);
    for (double at = std::ceil(view.y.from() / bytes) * bytes; at <= view.y.to(); at += bytes) {
        const double y = plot.top() + plot.height() - view.y.pixelOf(at);
        painter.setPen(line);
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        painter.setPen(palette().color(QPalette::Text));
        const QRectF room(0, y - fontMetrics().height() / 2.0, plot.left() - labelMargin,
                          fontMetrics().height());
        painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, bytesText(static_cast<std::uint64_t>(at)));
    }
}

QString PlanWidget::placeText(double place) const {
    if (!view.axis.isTime()) {
        return place < 1 ? tr("start") : QString::number(std::llround(place) - 1);
    }
    return QStringLiteral("%1 %2").arg(QString::number(place / ticksPerUnit, 'g', 4), unit);
}

void PlanWidget::paintSteps(QPainter& painter) const {
    const QRect plot = plotArea();
    const double scale = view.axis.isTime() ? ticksPerUnit : 1;
    // niceStep() knows whole numbers only.
    constexpr double finer = 1e9;
    const double span = (view.x.to() - view.x.from()) / scale;
    const int parts = std::max(plot.width() / tickRoom, 1);
    const double every = view.axis.isTime() ? inspector::niceStep(span * finer, parts, 10) / finer * scale
                                            : inspector::niceStep(span, parts, 10);
    // Instruction 0 stands a step behind the start.
    const double first = view.axis.isTime() ? 0 : 1;
    QColor line = palette().color(QPalette::Text);
    line.setAlpha(paleness);
    const double from = std::max(std::ceil((view.x.from() - first) / every), 0.0);
    for (double at = first + from * every; at <= std::min(view.x.to(), view.axis.length() - first);
         at += every) {
        const double x = plot.left() + view.x.pixelOf(at);
        painter.setPen(line);
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(QPointF(x + 2, plot.bottom() + fontMetrics().ascent() + 3), placeText(at));
    }
}

double PlanWidget::curveY(std::uint64_t live) const {
    const QRect area = curveArea();
    const auto most =
        static_cast<double>(std::max({arena().plannedBytes, arena().peakBytes, std::uint64_t{1}}));
    return area.top() + area.height() * (1 - static_cast<double>(live) / most);
}

// The most of what lies below each pixel.
void PlanWidget::paintCurve(QPainter& painter) const {
    const QRect area = curveArea();
    const auto& live = arena().liveBytes;
    QColor colour = palette().color(QPalette::Highlight);
    QColor ground = colour;
    ground.setAlpha(0x50);
    for (int pixel = 0; pixel < area.width(); ++pixel) {
        const Step first = view.axis.stepAt(view.x.valueAt(pixel));
        const Step last = view.axis.stepAt(view.x.valueAt(pixel + 0.999));
        std::uint64_t most = 0;
        for (Step at = first; at <= last; ++at) {
            most = std::max(most, live[static_cast<std::size_t>(at + 1)]);
        }
        const double top = curveY(most);
        painter.fillRect(QRectF(area.left() + pixel, top, 1, area.bottom() + 1 - top), ground);
        painter.fillRect(QRectF(area.left() + pixel, top, 1, 1.5), colour);
    }
    painter.setPen(QPen(QColor(warning), 1, Qt::DashLine));
    const double planned = curveY(arena().plannedBytes);
    painter.drawLine(QPointF(area.left(), planned), QPointF(area.right(), planned));
    painter.setPen(palette().color(QPalette::Text));
    const QRectF room(0, area.top(), area.left() - labelMargin, area.height());
    painter.drawText(room, Qt::AlignRight | Qt::AlignTop,
                     tr("%1\nalive").arg(bytesText(std::max(arena().plannedBytes, arena().peakBytes))));
}

QString PlanWidget::labelOf(const PlanBox& box) const {
    const inspector::PlannedTensor& of = plan->timeline.tensors[box.tensor];
    return QStringLiteral("%1 %2")
        .arg(of.value.value)
        .arg(toQString(of.producerName.empty() ? inspector::tensorKindName(of.kind) : of.producerName));
}

void PlanWidget::paintLabels(QPainter& painter) const {
    const QRectF plot = plotArea();
    const double line = fontMetrics().height();
    for (const PlanBox& box : shownBoxes) {
        // The largest come first, and no life is longer than the axis.
        if (static_cast<double>(box.bytes) / view.y.perPixel() < line) {
            break;
        }
        if (!view.shows(box) || (box.tensor < matches.size() && !matches[box.tensor])) {
            continue;
        }
        const QRectF room = view.rectOf(box)
                                .translated(plot.topLeft())
                                .intersected(plot)
                                .adjusted(labelMargin, 0, -labelMargin, 0);
        if (room.width() < labelWidth || room.height() < line) {
            continue;
        }
        const bool light = QColor::fromRgb(shades.tensors[box.tensor]).lightness() > 110;
        painter.setPen(light ? Qt::black : Qt::white);
        painter.drawText(
            room, Qt::AlignLeft | Qt::AlignVCenter,
            fontMetrics().elidedText(labelOf(box), Qt::ElideRight, static_cast<int>(room.width())));
    }
}

void PlanWidget::paintOutline(QPainter& painter, const PlanBox* box, int width) const {
    if (box != nullptr && view.shows(*box)) {
        painter.setPen(QPen(palette().color(QPalette::Text), width));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rectOf(*box).adjusted(0, 0, -1, -1));
    }
}

void PlanWidget::paintMarks(QPainter& painter) const {
    const QRect plot = plotArea();
    const QRectF all(plot.left(), curveArea().top(), plot.width(), plot.bottom() + 1 - curveArea().top());
    painter.setClipRect(all);
    const auto xOf = [&](double place) { return plot.left() + view.x.pixelOf(place); };
    if (step) {
        QColor colour = palette().color(QPalette::Text);
        colour.setAlpha(paleness);
        const double left = xOf(view.axis.startOf(*step));
        const double right = std::max(xOf(view.axis.endOf(*step)), left + 1);
        painter.fillRect(QRectF(left, all.top(), right - left, all.height()), colour);
    }
    if (marked) {
        QColor colour = palette().color(QPalette::Highlight);
        painter.setPen(colour);
        painter.drawLine(QPointF(xOf(marked->from), all.top()), QPointF(xOf(marked->from), all.bottom()));
        painter.drawLine(QPointF(xOf(marked->to), all.top()), QPointF(xOf(marked->to), all.bottom()));
        colour.setAlpha(paleness);
        painter.fillRect(
            QRectF(xOf(marked->from), all.top(), xOf(marked->to) - xOf(marked->from), all.height()), colour);
    }
    const Step peak = arena().peakStep;
    const double x = (xOf(view.axis.startOf(peak)) + xOf(view.axis.endOf(peak))) / 2;
    painter.setPen(QPen(QColor(warning), 1));
    painter.drawLine(QPointF(x, all.top()), QPointF(x, all.bottom()));
    painter.setClipping(false);
}

}  // namespace et::visualizers
