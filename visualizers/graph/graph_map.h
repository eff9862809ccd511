#pragma once

#include "visualizers/graph/graph_painter.h"
#include "visualizers/graph/plane_view.h"

#include <QPixmap>
#include <QPointF>
#include <QRectF>
#include <QSizeF>

class QPainter;

namespace et::visualizers {

/// A small picture of a whole scene in the corner of a widget that shows a part of it, with a frame around
/// the part.
class GraphMap {
  public:
    /// Where it stands; empty while all is on screen.
    [[nodiscard]] static QRectF place(const QSizeF& widget, const PlaneView& view);
    /// The point of the scene under a pixel of it.
    [[nodiscard]] static QPointF pointAt(const QPointF& pixel, const QSizeF& widget, const PlaneView& view);

    /// Colours or places have changed.
    void forget() { picture = {}; }
    void paint(QPainter& painter, const QSizeF& widget, const GraphPainter& scene, const PlaneView& view,
               const GraphStyle& style);

  private:
    QPixmap picture;  ///< null: to be painted
};

}  // namespace et::visualizers
