#pragma once

#include "visualizers/memory/memory_plan.h"
#include "visualizers/memory/plan_image.h"

#include <QPointF>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace et::visualizers {

/// An arena of a memory plan as boxes, with navigation between them. Immutable; converts to false if empty.
class PlanContent {
  public:
    PlanContent() = default;
    /// `arena` is a position in MemoryTimeline::arenas; out of range shows nothing. `offsets` (by tensor) is
    /// another plan of the same tensors.
    PlanContent(std::shared_ptr<const MemoryPlan> shown, std::size_t arena,
                std::span<const std::uint64_t> offsets);

    explicit operator bool() const { return plan != nullptr; }
    [[nodiscard]] bool isOf(const std::shared_ptr<const MemoryPlan>& other, std::size_t arena) const {
        return plan == other && at == arena;
    }
    [[nodiscard]] const inspector::MemoryTimeline& timeline() const { return plan->timeline; }
    [[nodiscard]] const inspector::ArenaTimeline& arena() const { return plan->timeline.arenas[at]; }
    /// Largest first.
    [[nodiscard]] const std::vector<inspector::PlanBox>& boxes() const { return bySize; }
    /// End of the highest box in bytes, at least 1.
    [[nodiscard]] std::uint64_t extent() const { return bytes; }

    /// Null if the tensor has no box.
    [[nodiscard]] const inspector::PlanBox* boxOf(std::optional<std::size_t> tensor) const;
    /// The box at a position in pixels from the top left of the window; null if there is none.
    [[nodiscard]] const inspector::PlanBox* boxAt(const PlanWindow& window, const QPointF& place) const;
    /// The next (1) or previous (-1) box in time order; null if there are none.
    [[nodiscard]] const inspector::PlanBox* beside(std::optional<std::size_t> tensor, int by) const;

    [[nodiscard]] QString tipOf(const inspector::PlanBox& box) const;
    /// Live tensors at a step, and its operator.
    [[nodiscard]] QString tipOf(inspector::Step step) const;

  private:
    std::shared_ptr<const MemoryPlan> plan;
    std::size_t at = 0;
    std::vector<inspector::PlanBox> bySize;
    std::vector<std::size_t> byTime;  ///< positions in `bySize`
    std::uint64_t bytes = 1;
};

}  // namespace et::visualizers
