#include "visualizers/lab/pareto_painter.h"

#include "inspector/plot/axis.h"
#include "visualizers/lab/lab_text.h"

#include <QFontMetrics>
#include <QPainter>
#include <QPolygonF>

#include <cmath>
#include <limits>
#include <vector>

namespace et::visualizers {

namespace {

constexpr double paretoRadius = 4;
constexpr double otherRadius = 3;
constexpr double paretoRing = 4;
constexpr int paretoGap = 6;
constexpr int otherAlpha = 130;
constexpr int paretoGridAlpha = 50;

QColor seenThrough(QColor colour, int alpha) {
    colour.setAlpha(alpha);
    return colour;
}

/// A step between grid lines that is round in the unit of the axis.
double stepOf(ParetoCost cost, double least) {
    constexpr double nextUnit = 1024;
    double unit = 1;
    while (cost == ParetoCost::Bytes && least >= unit * nextUnit) {
        unit *= nextUnit;
    }
    return unit * inspector::plot::roundStep(least / unit);
}

/// One painting.
class ParetoPass {
  public:
    ParetoPass(QPainter& on, const ShownPareto& of, const QPalette& colours)
        : painter(on), shown(of), scene(of.scene), palette(colours), letters(on.fontMetrics().height()) {}

    void paintCosts() const;
    void paintErrors() const;
    void paintFrontLine() const;
    void paintPoints() const;
    void paintLegend() const;

  private:
    void paintErrorLine(double error, const QString& text) const;
    void paintSign(const ParetoPoint& point, const QPointF& at) const;

    QPainter& painter;
    const ShownPareto& shown;
    const ParetoScene& scene;
    const QPalette& palette;
    int letters;
};

void ParetoPass::paintCosts() const {
    const QRectF& area = shown.area;
    const double from = scene.costAt(shown.part.left());
    const double to = scene.costAt(shown.part.right());
    const double width = painter.fontMetrics().horizontalAdvance(scene.costText(to)) + 4 * paretoGap;
    const double lines = std::max(std::floor(area.width() / width), 1.0);
    const double step = stepOf(scene.cost(), (to - from) / lines);
    for (double value = std::ceil(from / step) * step; value <= to; value += step) {
        const double x = shown.onScreen({scene.placeOfCost(value), 0}).x();
        painter.setPen(seenThrough(palette.color(QPalette::Text), paretoGridAlpha));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        painter.setPen(palette.color(QPalette::Text));
        painter.drawText(QRectF(x - width / 2, area.bottom() + 2, width, letters), Qt::AlignCenter,
                         scene.costText(value));
    }
    painter.setPen(palette.color(QPalette::PlaceholderText));
    painter.drawText(QRectF(area.left(), area.bottom() + letters + 2, area.width(), letters),
                     Qt::AlignRight | Qt::AlignVCenter,
                     scene.cost() == ParetoCost::Bytes ? QStringLiteral("program size in bytes")
                                                       : QStringLiteral("time per run (median)"));
}

void ParetoPass::paintErrorLine(double error, const QString& text) const {
    const QRectF& area = shown.area;
    const double y = shown.onScreen({0, scene.placeOfError(error)}).y();
    if (y < area.top() - 1 || y > area.bottom() + 1) {
        return;
    }
    painter.setPen(seenThrough(palette.color(QPalette::Text), paretoGridAlpha));
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    painter.setPen(palette.color(QPalette::Text));
    painter.drawText(QRectF(0, y - letters / 2.0, area.left() - paretoGap, letters),
                     Qt::AlignRight | Qt::AlignVCenter, text);
}

/// Draws the grid lines of the visible part from the bottom, at least one text line apart.
void ParetoPass::paintErrors() const {
    constexpr double percent = 100;
    double last = std::numeric_limits<double>::infinity();
    if (scene.hasExact()) {
        paintErrorLine(0, QStringLiteral("< 0.001 %"));
        last = shown.onScreen({0, scene.placeOfError(0)}).y();
    }
    for (const double error : scene.errorLines(shown.part.top(), shown.part.bottom())) {
        const double y = shown.onScreen({0, scene.placeOfError(error)}).y();
        if (last - y > letters) {
            paintErrorLine(error, QStringLiteral("%1 %").arg(percent * error, 0, 'g', 3));
            last = y;
        }
    }
}

/// Connects the points of the front by a staircase, because there is nothing between them.
void ParetoPass::paintFrontLine() const {
    QPolygonF line;
    for (const ParetoPoint& point : scene.points()) {
        if (point.best && point.candidate) {
            const QPointF at = shown.onScreen(scene.placeOf(point));
            if (!line.isEmpty()) {
                line.append(QPointF(at.x(), line.last().y()));
            }
            line.append(at);
        }
    }
    painter.setPen(QPen(seenThrough(palette.color(QPalette::Highlight), otherAlpha), 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line);
}

/// Filled: on the front; ring: dominated; diamond: predicted. The shapes are distinguishable without colour.
void ParetoPass::paintSign(const ParetoPoint& point, const QPointF& at) const {
    if (!point.candidate) {
        constexpr double half = 6;
        painter.setPen(QPen(palette.color(QPalette::Text), 1.5));
        painter.setBrush(palette.color(QPalette::Base));
        painter.drawPolygon(QPolygonF(
            {at + QPointF(0, -half), at + QPointF(half, 0), at + QPointF(0, half), at + QPointF(-half, 0)}));
    } else if (point.best) {
        painter.setPen(palette.color(QPalette::Highlight));
        painter.setBrush(palette.color(QPalette::Highlight));
        painter.drawEllipse(at, paretoRadius, paretoRadius);
    } else {
        painter.setPen(QPen(palette.color(QPalette::PlaceholderText), 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(at, otherRadius, otherRadius);
    }
}

void ParetoPass::paintPoints() const {
    const auto& points = scene.points();
    const auto ring = [&](std::size_t point, const QColor& colour) {
        painter.setPen(QPen(colour, 2));
        painter.setBrush(Qt::NoBrush);
        const double radius = paretoRadius + paretoRing;
        painter.drawEllipse(shown.onScreen(scene.placeOf(points[point])), radius, radius);
    };
    for (const bool best : {false, true}) {
        for (const ParetoPoint& point : points) {
            if (point.best == best) {
                paintSign(point, shown.onScreen(scene.placeOf(point)));
            }
        }
    }
    if (shown.hovered) {
        ring(*shown.hovered, palette.color(QPalette::Highlight));
    }
    if (shown.chosen) {
        ring(*shown.chosen, palette.color(QPalette::Text));
    }
}

void ParetoPass::paintLegend() const {
    const double middle = shown.area.top() - letters / 2.0 - 3;
    double x = shown.area.left() + 2 * paretoRadius;
    const auto entry = [&](const ParetoPoint& like, const QString& text) {
        const double width = painter.fontMetrics().horizontalAdvance(text);
        if (x + width > shown.area.right()) {
            return;
        }
        paintSign(like, {x, middle});
        painter.setPen(palette.color(QPalette::Text));
        painter.drawText(QRectF(x + 2 * paretoGap, middle - letters / 2.0, width + 1, letters),
                         Qt::AlignLeft | Qt::AlignVCenter, text);
        x += width + 5 * paretoGap;
    };
    entry({.candidate = 0, .best = true, .text = {}}, QStringLiteral("least error at its cost"));
    entry({.candidate = 0, .text = {}}, QStringLiteral("others"));
    entry({.text = {}}, QStringLiteral("predicted"));
    painter.setPen(palette.color(QPalette::PlaceholderText));
    painter.drawText(QRectF(0, middle - letters / 2.0, shown.area.left() - paretoGap, letters),
                     Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("error"));
}

}  // namespace

QPointF ShownPareto::onScreen(const QPointF& place) const {
    return {area.left() + (place.x() - part.left()) / part.width() * area.width(),
            area.top() + (place.y() - part.top()) / part.height() * area.height()};
}

QRectF paretoArea(const QRectF& picture, const QFontMetrics& letters) {
    const double height = letters.height();
    const double numbers = letters.horizontalAdvance(QStringLiteral("0.0005 %")) + 2.0 * paretoGap;
    return picture.adjusted(numbers, height + 2.0 * paretoGap, -2.0 * paretoGap, -2 * height - paretoGap);
}

void paintPareto(QPainter& painter, const ShownPareto& shown, const QPalette& palette) {
    painter.setRenderHint(QPainter::Antialiasing);
    const ParetoPass pass(painter, shown, palette);
    pass.paintCosts();
    pass.paintErrors();
    pass.paintLegend();
    painter.save();
    painter.setClipRect(shown.area.adjusted(-1, -1, 1, 1));
    pass.paintFrontLine();
    pass.paintPoints();
    painter.restore();
}

}  // namespace et::visualizers
