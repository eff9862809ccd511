#pragma once

#include "visualizers/compare/comparison_model.h"
#include "visualizers/toolkit/tip_widget.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace et::visualizers {

/// Each operator of a method as a point: A's median to the right, B's upwards, both logarithmic. Above the
/// line it became slower. A click chooses the operator.
class ScatterPlot : public TipWidget {
    Q_OBJECT

  public:
    explicit ScatterPlot(QWidget* parent);

    /// Operators of both sides; the model outlives this or shows again.
    void show(const ComparisonModel& model, std::size_t method);
    void clear();
    /// The operator nearest to a point, within a few pixels.
    [[nodiscard]] std::optional<std::size_t> rowAt(QPointF at) const;
    [[nodiscard]] std::size_t pointCount() const { return points.size(); }
    [[nodiscard]] QPointF placeOf(std::size_t point) const;

    [[nodiscard]] QString tipAt(QPoint at) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  signals:
    void rowChosen(std::size_t row);  ///< into MethodComparison::rows

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

  private:
    struct Point {
        std::size_t row = 0;
        double a = 0;  ///< in the unit
        double b = 0;
        inspector::TimeVerdict verdict{};
        QString text;
    };
    [[nodiscard]] QRectF area() const;
    [[nodiscard]] double share(double time) const;  ///< of the scale, 0 to 1

    std::vector<Point> points;
    inspector::TimeScale unit = inspector::TimeScale::Milliseconds;
    double low = 1;
    double high = 10;
};

}  // namespace et::visualizers
