#include "visualizers/toolkit/debug_mark.h"

#include "visualizers/toolkit/meaning_colour.h"

#include <QPainter>
#include <QPalette>
#include <QPolygonF>

namespace et::visualizers {

namespace {

constexpr double groundShare = 0.28;
constexpr double markMargin = 0.18;  // fraction of the place

bool isDark(const QPalette& palette) {
    return palette.color(QPalette::Base).lightness() < 128;
}

QRectF squareIn(const QRectF& place) {
    const double side = qMin(place.width(), place.height()) * (1 - 2 * markMargin);
    return {place.center().x() - side / 2, place.center().y() - side / 2, side, side};
}

}  // namespace

QColor currentColour(const QPalette& palette) {
    return isDark(palette) ? QColor(0xff, 0xc8, 0x3d) : QColor(0xc7, 0x7c, 0x02);
}

QColor currentGround(const QPalette& palette) {
    return mixedColour(palette.color(QPalette::Base), currentColour(palette), groundShare);
}

QColor breakpointColour(const QPalette& palette) {
    return isDark(palette) ? QColor(0xff, 0x6b, 0x6b) : QColor(0xc6, 0x28, 0x28);
}

void paintCurrentMark(QPainter& painter, const QRectF& place, const QPalette& palette) {
    const QRectF square = squareIn(place);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(palette.color(QPalette::Text), 1));
    painter.setBrush(currentColour(palette));
    painter.drawPolygon(
        QPolygonF{square.topLeft(), QPointF(square.right(), square.center().y()), square.bottomLeft()});
    painter.restore();
}

void paintBreakpointMark(QPainter& painter, const QRectF& place, bool enabled, const QPalette& palette) {
    const QColor colour = breakpointColour(palette);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour, 2));
    painter.setBrush(enabled ? QBrush(colour) : Qt::NoBrush);
    painter.drawEllipse(squareIn(place));
    painter.restore();
}

}  // namespace et::visualizers
