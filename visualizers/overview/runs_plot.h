#pragma once

#include "inspector/findings/dashboard.h"
#include "visualizers/toolkit/tip_widget.h"

#include <optional>
#include <utility>
#include <vector>

namespace et::visualizers {

/// Run times: the runs in order as connected points, and next to it their distribution. Outliers have the
/// error colour.
class RunsPlot : public TipWidget {
    Q_OBJECT

  public:
    explicit RunsPlot(QWidget* parent);

    void show(std::vector<double> samples, inspector::TimeScale scale);
    /// The run at this x, within a few pixels; nothing outside.
    [[nodiscard]] std::optional<std::size_t> runAt(QPoint at) const;

    [[nodiscard]] QString tipAt(QPoint at) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    [[nodiscard]] QRectF pointsArea() const;
    [[nodiscard]] QRectF barsArea() const;
    [[nodiscard]] double yOf(double value) const;
    [[nodiscard]] QString figures() const;
    void paintPoints(class QPainter& painter) const;
    void paintBars(class QPainter& painter) const;
    void paintAxis(class QPainter& painter) const;

    std::vector<double> runs;
    std::vector<bool> outlier;
    inspector::Statistics statistics{};
    inspector::TimeScale unit = inspector::TimeScale::Milliseconds;
};

}  // namespace et::visualizers
