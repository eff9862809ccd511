#pragma once

#include "visualizers/compare/comparison_model.h"
#include "visualizers/toolkit/tip_widget.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace et::visualizers {

/// Each operator of a method as a point: A's median on the x axis, B's on the y axis, both logarithmic.
/// Operators above the diagonal became slower. A click selects the operator.
class ScatterPlot : public TipWidget {
    Q_OBJECT

  public:
    explicit ScatterPlot(QWidget* parent);

    /// Shows operators present on both sides. The model must outlive the plot or the next show().
    void show(const ComparisonModel& model, std::size_t method);
    void clear();
    /// The operator nearest to a point, within a few pixels; nothing if there is none.
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
        double a = 0;  ///< in the display unit
        double b = 0;
        inspector::TimeVerdict verdict{};
        QString text;
    };
    [[nodiscard]] QRectF area() const;
    [[nodiscard]] double share(double time) const;  ///< position on the scale, 0 to 1

    std::vector<Point> points;
    inspector::TimeScale unit = inspector::TimeScale::Milliseconds;
    double low = 1;
    double high = 10;
};

}  // namespace et::visualizers
