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

/// A tensor's memory: bytes of an arena for a part of the run.
struct PlanBox {
    std::size_t tensor = 0;  ///< position in MemoryTimeline::tensors
    inspector::Step first = 0;
    inspector::Step last = 0;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;

    [[nodiscard]] std::uint64_t end() const { return offset + bytes; }
};

/// The tensors of an arena that have bytes and a life, largest first; at `offsets` (by tensor) where there
/// are any, else where the program has them.
[[nodiscard]] std::vector<PlanBox> planBoxes(const inspector::MemoryTimeline& timeline,
                                             const inspector::ArenaTimeline& arena,
                                             std::span<const std::uint64_t> offsets);

/// The part of a plan that is on screen. Offset 0 is at the bottom.
struct PlanWindow {
    PlanAxis axis{};
    ZoomRange x{};  ///< on the axis
    ZoomRange y{};  ///< bytes

    /// In pixels from the top left; at least one wide and high.
    [[nodiscard]] QRectF rectOf(const PlanBox& box) const;
    [[nodiscard]] bool shows(const PlanBox& box) const;
};

/// Paints boxes in the colours of their tensors, with `ratio` dots a pixel. Its cost is that of the dots that
/// are covered, so that tens of thousands of boxes paint at once; none is too small to be seen.
[[nodiscard]] QImage planImage(const PlanWindow& window, std::span<const PlanBox> boxes,
                               std::span<const QRgb> colours, QRgb ground, double ratio);

}  // namespace et::visualizers
