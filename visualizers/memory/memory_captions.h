#pragma once

#include "visualizers/memory/memory_plan.h"
#include "visualizers/memory/plan_colours.h"

#include <QString>

#include <cstddef>

namespace et::visualizers {

/// One-line summary of an arena: its bytes, its peak, and data that the plan overwrites. `arena` is a
/// position in MemoryTimeline::arenas.
[[nodiscard]] QString memoryHeadline(const MemoryPlan& plan, std::size_t arena);

/// Legend of the colours and keys of the plot as rich text.
[[nodiscard]] QString memoryLegend(const PlanColours& colours);

}  // namespace et::visualizers
