#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>

namespace et::visualizers {

/// Which part of a plane a widget shows, and how large. It never leaves the content out of sight.
class PlaneView {
  public:
    static constexpr double maxScale = 4;  ///< pixels a unit of the plane

    /// A new content is fitted.
    void setContent(const QRectF& bounds);
    /// Keeps the middle where it is.
    void setSize(const QSizeF& pixels);

    [[nodiscard]] double scale() const { return zoomed; }
    [[nodiscard]] const QRectF& content() const { return all; }
    [[nodiscard]] QRectF visible() const;  ///< of the plane
    [[nodiscard]] QPointF toScreen(const QPointF& point) const { return (point - corner) * zoomed; }
    [[nodiscard]] QPointF toPlane(const QPointF& pixel) const { return pixel / zoomed + corner; }
    [[nodiscard]] QRectF toScreen(const QRectF& rect) const;

    /// What is under `pixel` stays there.
    void zoom(double factor, const QPointF& pixel);
    void pan(const QPointF& pixels);
    void centre(const QPointF& point);
    /// Moves so that this point of the plane is at `pixel`.
    void place(const QPointF& point, const QPointF& pixel);
    void fit();
    /// Fits a part, no larger than `atMost`.
    void show(const QRectF& part, double atMost);
    /// Moves as little as it takes to see all of `part`, or its middle where it is larger than the widget.
    void reveal(const QRectF& part);

  private:
    [[nodiscard]] double fitting(const QRectF& part) const;
    [[nodiscard]] double minScale() const;
    void keepInSight();

    QRectF all{0, 0, 1, 1};
    QSizeF size{1, 1};
    QPointF corner;  ///< of the widget, in the plane
    double zoomed = 1;
};

}  // namespace et::visualizers
