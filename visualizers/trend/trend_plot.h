#pragma once

#include "inspector/trend/trend_plot.h"
#include "visualizers/toolkit/point_plot.h"

#include <cstddef>
#include <memory>
#include <optional>

namespace et::visualizers {

/// The times of a model or of one of its operators on one kind of device: one point per commit, with levels
/// and their changes. Return acts like a click on the selected point.
class TrendPlot : public PointPlot {
    Q_OBJECT

  public:
    explicit TrendPlot(QWidget* parent = nullptr);

    /// A group of a trend.
    void setGroup(std::shared_ptr<const inspector::Trend> trend, std::size_t group);
    /// Nothing: the total.
    void setOperator(std::optional<std::size_t> index);
    void choose(std::optional<std::size_t> point);

    [[nodiscard]] std::size_t group() const { return shown.group; }
    [[nodiscard]] std::optional<std::size_t> chosenPoint() const override { return shown.chosen; }
    [[nodiscard]] std::size_t itemCount() const override;
    /// "pixel8, forward: 12.3 ms now, +3.1 % since 4f2a91c".
    [[nodiscard]] QString summary() const;

  signals:
    /// Emitted when the user wants to open the measurement of a point.
    void pointWanted(std::size_t point);

  protected:
    void keyPressEvent(QKeyEvent* event) override;

  private:
    [[nodiscard]] inspector::plot::Scene scene() const override;
    void chooseItem(std::size_t item) override { choose(item); }
    void clickItem(std::size_t item) override;

    std::shared_ptr<const inspector::Trend> trend;
    inspector::TrendCurve shown;
};

}  // namespace et::visualizers
