#pragma once

#include "visualizers/memory/plan_colours.h"
#include "visualizers/memory/plan_content.h"
#include "visualizers/memory/plan_image.h"

#include <QFontMetrics>
#include <QImage>
#include <QPalette>
#include <QRect>

#include <cstddef>
#include <optional>
#include <vector>

class QPainter;

namespace et::visualizers {

/// A range of a plan's axis.
struct AxisRange {
    double from = 0;
    double to = 0;
    bool operator==(const AxisRange&) const = default;
};

/// Content, view state and highlights of a plan.
struct PlanShown {
    PlanContent content{};
    PlanWindow window{};
    PlanColours shades{};
    std::vector<bool> matches{};  ///< by tensor: others are pale; empty: none
    std::optional<std::size_t> tensor{};
    std::optional<std::size_t> hovered{};
    std::optional<inspector::Step> step{};
    std::optional<inspector::Step> current{};  ///< of the debugger
    std::optional<AxisRange> marked{};
};

/// Layout in widget pixels: the curve of live bytes above the boxes, both right of the offset labels.
struct PlanAreas {
    QRect curve;
    QRect plot;

    [[nodiscard]] static PlanAreas of(const QSize& size, const QFontMetrics& metrics);
};

/// Paints an arena's plan. The plot is cached per view.
class PlanPainter {
  public:
    /// Call when boxes, colours or the view have changed.
    void forget() { boxes = {}; }
    void paint(QPainter& painter, const PlanShown& shown, const PlanAreas& areas, const QPalette& palette);

  private:
    void makePlot(const PlanShown& shown, const PlanAreas& areas, const QPainter& painter,
                  const QColor& ground);

    QImage boxes;                    ///< null: the plot must be made
    inspector::plot::Scene below{};  ///< axes and curve
    inspector::plot::Scene above{};  ///< labels of boxes and the peak
};

}  // namespace et::visualizers
