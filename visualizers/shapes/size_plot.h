#pragma once

#include "inspector/plot/curve_plot.h"
#include "visualizers/shapes/shape_study.h"
#include "visualizers/toolkit/tip_widget.h"

#include <QPointF>

#include <cstddef>
#include <optional>

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
    enum class Quantity : std::uint8_t { Time, Memory };
    [[nodiscard]] QRectF area(Quantity quantity) const;
    [[nodiscard]] inspector::plot::Curve makeCurve(Quantity quantity) const;
    /// Its first items are the points of the time plot.
    [[nodiscard]] inspector::plot::Scene scene() const;
    [[nodiscard]] static QString numberText(Quantity quantity, double value);
    [[nodiscard]] QString describe(std::size_t point) const;
    void choose(std::optional<std::size_t> point);

    std::optional<SizeCurve> curve;
    std::optional<std::size_t> chosen;
};

}  // namespace et::visualizers
