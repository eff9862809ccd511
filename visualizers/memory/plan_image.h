#pragma once

#include "inspector/memory/plan_plot.h"
#include "visualizers/toolkit/zoom_range.h"

#include <QImage>
#include <QRectF>

#include <span>

namespace et::visualizers {

/// The visible part of a plan. Offset 0 is at the bottom.
struct PlanWindow {
    inspector::PlanAxis axis{};
    ZoomRange x{};  ///< on the axis
    ZoomRange y{};  ///< bytes

    /// In pixels from the top left; at least one pixel wide and high.
    [[nodiscard]] QRectF rectOf(const inspector::PlanBox& box) const;
    [[nodiscard]] bool shows(const inspector::PlanBox& box) const;
    /// As fractions of the whole plot; y is 0 at the top.
    [[nodiscard]] inspector::plot::Box part() const;
};

/// Paints boxes in the colours of their tensors on a transparent ground, with `ratio` dots per pixel. The
/// cost depends on the dots covered, so tens of thousands of boxes are fast; every box is at least visible.
[[nodiscard]] QImage planImage(const PlanWindow& window, std::span<const inspector::PlanBox> boxes,
                               std::span<const QRgb> colours, double ratio);

}  // namespace et::visualizers
