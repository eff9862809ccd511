#pragma once

#include "visualizers/compare/comparison_model.h"
#include "visualizers/toolkit/point_plot.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace et::visualizers {

/// Each operator of a method as a point: A's median on the x axis, B's on the y axis, both logarithmic.
/// Operators above the diagonal became slower. A click selects the operator.
class ScatterPlot : public PointPlot {
    Q_OBJECT

  public:
    explicit ScatterPlot(QWidget* parent);

    /// Shows operators present on both sides. The model must outlive the plot or the next show().
    void show(const ComparisonModel& model, std::size_t method);
    void clear();
    /// The operator within a few pixels; nothing if there is none.
    [[nodiscard]] std::optional<std::size_t> itemAt(const QPointF& at) const override;
    [[nodiscard]] std::optional<std::size_t> chosenPoint() const override { return std::nullopt; }
    [[nodiscard]] std::size_t itemCount() const override { return points.size(); }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint() / 2; }

  signals:
    void rowChosen(std::size_t row);  ///< into MethodComparison::rows

  private:
    struct Point {
        std::size_t row = 0;
        double a = 0;  ///< in the display unit
        double b = 0;
        inspector::TimeVerdict verdict{};
        std::string text;
    };
    [[nodiscard]] inspector::plot::Scene scene() const override;
    void chooseItem(std::size_t item) override { emit rowChosen(points[item].row); }

    std::vector<Point> points;
    inspector::TimeScale unit = inspector::TimeScale::Milliseconds;
    inspector::plot::LogAxis times;
};

}  // namespace et::visualizers
