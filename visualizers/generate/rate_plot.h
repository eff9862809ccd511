#pragma once

#include "visualizers/generate/generated_tokens.h"
#include "visualizers/toolkit/point_plot.h"

#include <optional>
#include <vector>

namespace et::visualizers {

/// Tokens per second over context positions, one point per token except the first.
class RatePlot : public PointPlot {
    Q_OBJECT

  public:
    /// `shown` must outlive it.
    explicit RatePlot(GeneratedTokens& shown, QWidget* parent = nullptr);

    /// The item of a token; nothing if it has none.
    [[nodiscard]] std::optional<std::size_t> pointOf(std::size_t token) const;
    [[nodiscard]] std::optional<std::size_t> chosenPoint() const override;
    [[nodiscard]] std::size_t itemCount() const override { return points.size(); }
    [[nodiscard]] QString figures() const;
    [[nodiscard]] QString tipAt(QPoint at) const override;

  private:
    [[nodiscard]] inspector::plot::Scene scene() const override;
    void chooseItem(std::size_t item) override { source.choose(points[item]); }
    [[nodiscard]] double rateOf(std::size_t token) const;
    void rebuild();

    GeneratedTokens& source;
    std::vector<std::size_t> points;  ///< tokens with a rate
    double fastest = 0;               ///< of these, in tokens per second
};

}  // namespace et::visualizers
