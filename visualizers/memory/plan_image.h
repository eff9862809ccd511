#pragma once

#include "visualizers/memory/plan_axis.h"
#include "visualizers/toolkit/zoom_range.h"

#include <QImage>
#include <QRectF>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace et::visualizers {

/// A tensor's memory: a byte range of an arena for part of the run.
struct PlanBox {
    std::size_t tensor = 0;  ///< position in MemoryTimeline::tensors
    inspector::Step first = 0;
    inspector::Step last = 0;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;

    [[nodiscard]] std::uint64_t end() const { return offset + bytes; }
};

/// The tensors of an arena with bytes and a lifetime, largest first; at `offsets` (by tensor) if given,
/// otherwise at the program's offsets.
[[nodiscard]] std::vector<PlanBox> planBoxes(const inspector::MemoryTimeline& timeline,
                                             const inspector::ArenaTimeline& arena,
                                             std::span<const std::uint64_t> offsets);

/// The visible part of a plan. Offset 0 is at the bottom.
struct PlanWindow {
    PlanAxis axis{};
    ZoomRange x{};  ///< on the axis
    ZoomRange y{};  ///< bytes

    /// In pixels from the top left; at least one pixel wide and high.
    [[nodiscard]] QRectF rectOf(const PlanBox& box) const;
    [[nodiscard]] bool shows(const PlanBox& box) const;
};

/// Paints boxes in the colours of their tensors, with `ratio` dots per pixel. The cost depends on the dots
/// covered, so tens of thousands of boxes are fast; every box is at least visible.
[[nodiscard]] QImage planImage(const PlanWindow& window, std::span<const PlanBox> boxes,
                               std::span<const QRgb> colours, QRgb ground, double ratio);

}  // namespace et::visualizers
