#pragma once

#include "inspector/memory/memory_timeline.h"
#include "visualizers/memory/memory_plan.h"
#include "visualizers/toolkit/report_table_model.h"

#include <vector>

namespace et::visualizers {

/// Sizes of alternative plans of a method's tensors, one row each, after the program's own plan.
[[nodiscard]] ReportRows planRows(const inspector::MemoryTimeline& timeline,
                                  const std::vector<inspector::AlternativePlan>& plans);

/// Memory outside the plan, in groups: constants, delegates' payloads, the caller's inputs and outputs, and
/// run-time memory if the trace recorded it.
[[nodiscard]] ReportRows besideRows(const MemoryPlan& plan);

}  // namespace et::visualizers
