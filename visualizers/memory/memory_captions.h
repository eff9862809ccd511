#pragma once

#include "visualizers/memory/memory_plan.h"
#include "visualizers/memory/plan_colours.h"

#include <QString>

#include <cstddef>

namespace et::visualizers {

/// What an arena of a plan comes to, in a line: its bytes and its peak, and data that the plan overwrites.
/// `arena` is a position in MemoryTimeline::arenas.
[[nodiscard]] QString memoryHeadline(const MemoryPlan& plan, std::size_t arena);

/// The colours with their meaning and the keys of the picture, as rich text.
[[nodiscard]] QString memoryLegend(const PlanColours& colours);

}  // namespace et::visualizers
