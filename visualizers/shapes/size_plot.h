#pragma once

#include "visualizers/shapes/shape_study.h"
#include "visualizers/toolkit/tip_widget.h"

#include <QPointF>

#include <cstddef>
#include <optional>

class QPainter;

namespace et::visualizers {

/// Time and memory over the size of one dimension, one plot above the other, with the line fitted to the
/// times and the size where they leave it. The arrow keys move between points.
class SizePlot : public TipWidget {
    Q_OBJECT

  public:
    explicit SizePlot(QWidget* parent = nullptr);

    /// Nothing: no curve yet.
    void setCurve(std::optional<SizeCurve> shown);
    /// "s0: linear up to 25 of 128".
    [[nodiscard]] QString summary() const;
    /// The point nearest to this x; nothing without points.
    [[nodiscard]] std::optional<std::size_t> pointAt(double x) const;
    /// Position of a point in the time plot.
    [[nodiscard]] QPointF placeOf(std::size_t point) const;

    [[nodiscard]] QString tipAt(QPoint at) const override;
    [[nodiscard]] QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    enum class Of : std::uint8_t { Time, Memory };
    [[nodiscard]] QRectF area(Of what) const;
    [[nodiscard]] double xOf(double size) const;
    [[nodiscard]] double yOf(Of what, double value) const;
    [[nodiscard]] double largest(Of what) const;
    [[nodiscard]] static std::optional<double> valueOf(Of what, const SizePoint& point);
    [[nodiscard]] static QString numberText(Of what, double value);
    [[nodiscard]] QString describe(std::size_t point) const;
    void choose(std::optional<std::size_t> point);
    void paintAxis(QPainter& painter, Of what) const;
    void paintLine(QPainter& painter) const;
    void paintPoints(QPainter& painter, Of what) const;

    std::optional<SizeCurve> curve;
    std::optional<std::size_t> chosen;
};

}  // namespace et::visualizers
