#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>

namespace et::visualizers {

/// Visible part and scale of a plane in a widget. The content always stays partly visible.
class PlaneView {
  public:
    static constexpr double maxScale = 4;  ///< pixels per unit of the plane

    /// Sets the content and fits it.
    void setContent(const QRectF& bounds);
    /// Keeps the centre.
    void setSize(const QSizeF& pixels);

    [[nodiscard]] double scale() const { return zoomed; }
    [[nodiscard]] const QRectF& content() const { return all; }
    [[nodiscard]] QRectF visible() const;  ///< in the plane
    [[nodiscard]] QPointF toScreen(const QPointF& point) const { return (point - corner) * zoomed; }
    [[nodiscard]] QPointF toPlane(const QPointF& pixel) const { return pixel / zoomed + corner; }
    [[nodiscard]] QRectF toScreen(const QRectF& rect) const;

    /// Keeps the point under `pixel` in place.
    void zoom(double factor, const QPointF& pixel);
    void pan(const QPointF& pixels);
    void centre(const QPointF& point);
    /// Moves this point of the plane to `pixel`.
    void place(const QPointF& point, const QPointF& pixel);
    void fit();
    /// Fits a part at a scale of at most `atMost`.
    void show(const QRectF& part, double atMost);
    /// Scrolls as little as necessary to show all of `part`, or its centre if it is larger than the widget.
    void reveal(const QRectF& part);

  private:
    [[nodiscard]] double fitting(const QRectF& part) const;
    [[nodiscard]] double minScale() const;
    void keepInSight();

    QRectF all{0, 0, 1, 1};
    QSizeF size{1, 1};
    QPointF corner;  ///< top left corner of the widget, in the plane
    double zoomed = 1;
};

}  // namespace et::visualizers
