#include "visualizers/roofline/roofline_painter.h"

#include "inspector/format/quantities.h"
#include "visualizers/toolkit/meaning_colour.h"
#include "visualizers/toolkit/text.h"

#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace et::visualizers {

using inspector::RooflinePoint;
using inspector::format::Meaning;

namespace {

constexpr double leastRadius = 3;
constexpr double mostRadius = 16;
constexpr double ringRoom = 3;
constexpr int rooflineGridAlpha = 50;
constexpr int pointAlpha = 150;
constexpr int labelGap = 6;

QColor faded(QColor colour, int alpha) {
    colour.setAlpha(alpha);
    return colour;
}

QString rateText(double number) {
    return QString::number(number, 'g', 3);
}

/// One painting.
class RooflinePass {
  public:
    RooflinePass(QPainter& on, const ShownRoofline& of, const QPalette& colours)
        : painter(on), shown(of), palette(colours), letters(on.fontMetrics().height()) {}

    void paintAxes() const;
    void paintRoofs() const;
    void paintPoints() const;
    void paintEmpty() const;

  private:
    void paintDecades(bool upright) const;
    void paintFlat(const Roof& roof) const;
    void paintRising(const Roof& roof, double& lowestLabel) const;
    [[nodiscard]] double xOf(double intensity) const {
        return shown.onScreen({shown.scene.placeOfIntensity(intensity), 0}).x();
    }
    [[nodiscard]] double yOf(double rate) const {
        return shown.onScreen({0, shown.scene.placeOfRate(rate)}).y();
    }

    QPainter& painter;
    const ShownRoofline& shown;
    const QPalette& palette;
    int letters;
};

void RooflinePass::paintDecades(bool upright) const {
    const RooflineScene& scene = shown.scene;
    const double from = upright ? scene.rateAt(shown.part.bottom()) : scene.intensityAt(shown.part.left());
    const double to = upright ? scene.rateAt(shown.part.top()) : scene.intensityAt(shown.part.right());
    for (double tick = std::pow(10, std::floor(std::log10(from))); tick <= to; tick *= 10) {
        for (const int step : {1, 2, 5}) {
            const double value = tick * step;
            // Lines between powers of ten only if there is space.
            if (value < from || value > to || (step != 1 && to / from > 1000)) {
                continue;
            }
            painter.setPen(faded(palette.color(QPalette::Text), rooflineGridAlpha));
            const QRectF& area = shown.area;
            if (upright) {
                painter.drawLine(QPointF(area.left(), yOf(value)), QPointF(area.right(), yOf(value)));
                painter.setPen(palette.color(QPalette::Text));
                painter.drawText(QRectF(0, yOf(value) - letters / 2.0, area.left() - labelGap, letters),
                                 Qt::AlignRight | Qt::AlignVCenter, rateText(value));
            } else {
                painter.drawLine(QPointF(xOf(value), area.top()), QPointF(xOf(value), area.bottom()));
                painter.setPen(palette.color(QPalette::Text));
                painter.drawText(QRectF(xOf(value) - 40, area.bottom() + 2, 80, letters), Qt::AlignCenter,
                                 rateText(value));
            }
        }
    }
}

void RooflinePass::paintAxes() const {
    paintDecades(true);
    paintDecades(false);
    const QRectF& area = shown.area;
    painter.setPen(palette.color(QPalette::PlaceholderText));
    painter.drawText(QRectF(area.left(), area.bottom() + letters + 2, area.width(), letters),
                     Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("operations per byte"));
    painter.drawText(QRectF(0, area.top() - letters - 2, area.width(), letters),
                     Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("GFLOP/s"));
}

void RooflinePass::paintFlat(const Roof& roof) const {
    const QRectF& area = shown.area;
    const double y = yOf(roof.gigaops);
    painter.setPen(QPen(palette.color(QPalette::Text), 1.5));
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    painter.drawText(QRectF(area.left(), y - letters - 1, area.width() - labelGap, letters),
                     Qt::AlignRight | Qt::AlignBottom,
                     QStringLiteral("%1: %2 GFLOP/s").arg(toQString(roof.name), rateText(roof.gigaops)));
}

// Draws up to the highest flat roof. Labels of coinciding lines are stacked to avoid overlap.
void RooflinePass::paintRising(const Roof& roof, double& lowestLabel) const {
    const RooflineScene& scene = shown.scene;
    const double least = scene.intensityAt(0);
    const double most = scene.highest() > 0 ? scene.highest() / roof.gigabytes : scene.intensityAt(1);
    const QPointF from(xOf(least), yOf(least * roof.gigabytes));
    const QPointF to(xOf(most), yOf(most * roof.gigabytes));
    painter.setPen(QPen(palette.color(QPalette::Text), 1.5));
    painter.drawLine(from, to);
    const double left = shown.area.left();
    const double slope = (to.y() - from.y()) / (to.x() - from.x());
    const double y = std::max(from.y() + slope * (left + labelGap - from.x()), lowestLabel + letters);
    lowestLabel = y;
    painter.drawText(QPointF(left + labelGap, y - labelGap),
                     QStringLiteral("%1: %2 GB/s").arg(toQString(roof.name), rateText(roof.gigabytes)));
}

void RooflinePass::paintRoofs() const {
    double lowestLabel = -1e9;
    for (const Roof& roof : shown.scene.roofs()) {
        if (roof.gigaops > 0) {
            paintFlat(roof);
        } else if (roof.gigabytes > 0) {
            paintRising(roof, lowestLabel);
        }
    }
}

void RooflinePass::paintPoints() const {
    const auto& points = shown.scene.points();
    const auto circle = [&](std::size_t point, double more) {
        const double radius = shown.radiusOf(point) + more;
        painter.drawEllipse(shown.onScreen(shown.scene.placeOf(points[point])), radius, radius);
    };
    // The longest are drawn first, so that small points are on top.
    for (std::size_t point = 0; point < points.size(); ++point) {
        const QColor colour =
            meaningColour(points[point].delegated ? Meaning::Delegate : Meaning::Kernel, palette);
        painter.setPen(colour);
        painter.setBrush(faded(colour, pointAlpha));
        circle(point, 0);
    }
    painter.setBrush(Qt::NoBrush);
    if (shown.hovered) {
        painter.setPen(QPen(palette.color(QPalette::Highlight), 3));
        circle(*shown.hovered, ringRoom);
    }
    if (shown.chosen) {
        painter.setPen(QPen(palette.color(QPalette::Text), 2));
        circle(*shown.chosen, ringRoom);
    }
}

void RooflinePass::paintEmpty() const {
    if (shown.scene.points().empty()) {
        painter.setPen(palette.color(QPalette::PlaceholderText));
        painter.drawText(shown.area, Qt::AlignCenter | Qt::TextWordWrap,
                         QStringLiteral("The operations of the operators in this trace are unknown."));
    }
}

}  // namespace

QPointF ShownRoofline::onScreen(const QPointF& place) const {
    return {area.left() + (place.x() - part.left()) / part.width() * area.width(),
            area.top() + (place.y() - part.top()) / part.height() * area.height()};
}

double ShownRoofline::radiusOf(std::size_t point) const {
    const double share = std::clamp(scene.points()[point].share, 0.0, 1.0);
    return leastRadius + (mostRadius - leastRadius) * std::sqrt(share);
}

void paintRoofline(QPainter& painter, const ShownRoofline& shown, const QPalette& palette) {
    painter.setRenderHint(QPainter::Antialiasing);
    const RooflinePass pass(painter, shown, palette);
    pass.paintAxes();
    painter.save();
    painter.setClipRect(shown.area.adjusted(-1, -1, 1, 1));
    pass.paintRoofs();
    pass.paintPoints();
    painter.restore();
    pass.paintEmpty();
}

QString rooflinePointText(const RooflinePoint& point) {
    QStringList parts{toQString(point.name),
                      QStringLiteral("%1, %2 of the time")
                          .arg(timeText(point.seconds, inspector::TimeScale::Seconds),
                               toQString(inspector::format::readablePercent(point.share))),
                      QStringLiteral("%1 GFLOP/s at %2 operations per byte")
                          .arg(rateText(point.gigaops()), rateText(point.intensity()))};
    if (point.efficiency) {
        parts.append(QStringLiteral("%1 of the machine's limit, bound by %2")
                         .arg(toQString(inspector::format::readablePercent(*point.efficiency)),
                              toQString(point.boundBy)));
    }
    return parts.join(QStringLiteral("   ·   "));
}

}  // namespace et::visualizers
