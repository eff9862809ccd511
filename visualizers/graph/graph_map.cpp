#include "visualizers/graph/graph_map.h"

#include <QPainter>
#include <QTransform>

#include <algorithm>

namespace et::visualizers {

namespace {

// In pixels.
constexpr double longSide = 150;
constexpr double shortSide = 24;
constexpr double mapMargin = 10;
constexpr double mostPart = 4;  // maximum size: this fraction of the widget

/// From the scene to widget pixels.
QTransform transform(const QRectF& place, const QRectF& all) {
    const double scale = std::min(place.width() / all.width(), place.height() / all.height());
    return QTransform::fromTranslate(-all.center().x(), -all.center().y()) *
           QTransform::fromScale(scale, scale) *
           QTransform::fromTranslate(place.center().x(), place.center().y());
}

}  // namespace

QRectF GraphMap::place(const QSizeF& widget, const PlaneView& view) {
    if (view.visible().contains(view.content())) {
        return {};
    }
    // On a small widget, the map would hide the graph.
    const QSizeF most(std::min(longSide, widget.width() / mostPart),
                      std::min(longSide, widget.height() / mostPart));
    if (most.width() < shortSide || most.height() < shortSide) {
        return {};
    }
    const QSizeF size =
        view.content().size().scaled(most, Qt::KeepAspectRatio).expandedTo({shortSide, shortSide});
    return {QPointF(widget.width() - size.width() - mapMargin, widget.height() - size.height() - mapMargin),
            size};
}

QPointF GraphMap::pointAt(const QPointF& pixel, const QSizeF& widget, const PlaneView& view) {
    return transform(place(widget, view), view.content()).inverted().map(pixel);
}

void GraphMap::paint(QPainter& painter, const QSizeF& widget, const GraphPainter& scene,
                     const PlaneView& view, const GraphStyle& style) {
    const QRectF at = place(widget, view);
    if (at.isEmpty()) {
        return;
    }
    if (picture.isNull()) {
        picture = QPixmap(at.size().toSize());
        picture.fill(style.ground);
        QPainter small(&picture);
        scene.paintSpots(small, transform(QRectF({0, 0}, at.size()), view.content()));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.drawPixmap(at.topLeft(), picture);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(style.frame);
    painter.drawRect(at);
    painter.setPen(QPen(style.chosen, 2));
    painter.drawRect(transform(at, view.content()).mapRect(view.visible()).intersected(at));
}

}  // namespace et::visualizers
