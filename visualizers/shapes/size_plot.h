#pragma once

#include "inspector/plot/curve_plot.h"
#include "visualizers/shapes/shape_study.h"
#include "visualizers/toolkit/point_plot.h"

#include <cstddef>
#include <optional>

namespace et::visualizers {

/// Time and memory over the size of one dimension, one plot above the other, with the line fitted to the
/// times and the size where they leave it. Items are the points of the time plot.
class SizePlot : public PointPlot {
    Q_OBJECT

  public:
    explicit SizePlot(QWidget* parent = nullptr);

    /// Nothing: no curve yet.
    void setCurve(std::optional<SizeCurve> shown);
    /// "s0: linear up to 25 of 128".
    [[nodiscard]] QString summary() const;
    [[nodiscard]] std::optional<std::size_t> chosenPoint() const override { return chosen; }
    [[nodiscard]] std::size_t itemCount() const override { return curve ? curve->points.size() : 0; }
    [[nodiscard]] QSize sizeHint() const override;

  private:
    [[nodiscard]] inspector::plot::Scene scene() const override;
    void chooseItem(std::size_t item) override { choose(item); }
    void choose(std::optional<std::size_t> point);
    [[nodiscard]] inspector::plot::Curve timeCurve() const;
    [[nodiscard]] inspector::plot::Curve memoryCurve() const;
    [[nodiscard]] std::string describe(std::size_t point) const;

    std::optional<SizeCurve> curve;
    std::optional<std::size_t> chosen;
};

}  // namespace et::visualizers
