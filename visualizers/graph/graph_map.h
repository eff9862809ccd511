#pragma once

#include "visualizers/graph/graph_painter.h"
#include "visualizers/graph/plane_view.h"

#include <QPixmap>
#include <QPointF>
#include <QRectF>
#include <QSizeF>

class QPainter;

namespace et::visualizers {

/// An overview of a whole scene in the corner of a widget that shows a part, with a frame around that part.
class GraphMap {
  public:
    /// Rectangle of the map; empty if everything is visible.
    [[nodiscard]] static QRectF place(const QSizeF& widget, const PlaneView& view);
    /// The scene point under a pixel of the map.
    [[nodiscard]] static QPointF pointAt(const QPointF& pixel, const QSizeF& widget, const PlaneView& view);

    /// Call when colours or positions have changed.
    void forget() { picture = {}; }
    void paint(QPainter& painter, const QSizeF& widget, const GraphPainter& scene, const PlaneView& view,
               const GraphStyle& style);

  private:
    QPixmap picture;  ///< null: must be painted
};

}  // namespace et::visualizers
