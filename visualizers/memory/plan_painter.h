#pragma once

#include "visualizers/memory/plan_colours.h"
#include "visualizers/memory/plan_content.h"
#include "visualizers/memory/plan_image.h"

#include <QFontMetrics>
#include <QImage>
#include <QPalette>
#include <QRect>
#include <QString>

#include <cstddef>
#include <optional>
#include <vector>

class QPainter;

namespace et::visualizers {

/// A stretch of a plan's axis.
struct AxisRange {
    double from = 0;
    double to = 0;
    bool operator==(const AxisRange&) const = default;
};

/// What a plan's picture shows, and what stands out in it.
struct PlanShown {
    PlanContent content{};
    PlanWindow window{};
    PlanColours shades{};
    std::vector<bool> matches{};  ///< by tensor: all others are pale; empty: none is
    std::optional<std::size_t> tensor{};
    std::optional<std::size_t> hovered{};
    std::optional<inspector::Step> step{};
    std::optional<AxisRange> marked{};
    double ticksPerUnit = 1;  ///< of the time axis
    inspector::TimeScale scale{};
};

/// Where the parts of the picture stand, in pixels of a widget: the bytes that are alive above the boxes,
/// both behind the labels of the offsets.
struct PlanAreas {
    QRect curve;
    QRect plot;

    [[nodiscard]] static PlanAreas of(const QSize& size, const QFontMetrics& metrics);
};

/// Paints an arena's plan. The boxes are painted once for each view of them.
class PlanPainter {
  public:
    /// Boxes, colours or the view have changed.
    void forget() { layer = {}; }
    void paint(QPainter& painter, const PlanShown& shown, const PlanAreas& areas, const QPalette& palette);

  private:
    QImage layer;  ///< of the boxes; null: to be painted anew
};

}  // namespace et::visualizers
