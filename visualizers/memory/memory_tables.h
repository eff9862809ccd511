#pragma once

#include "inspector/memory/memory_timeline.h"
#include "visualizers/memory/memory_plan.h"
#include "visualizers/toolkit/report_table_model.h"

#include <vector>

namespace et::visualizers {

/// What other plans of a method's tensors would take: a row for each, after the plan of the program itself.
[[nodiscard]] ReportRows planRows(const inspector::MemoryTimeline& timeline,
                                  const std::vector<inspector::WhatIf>& plans);

/// Memory that the plan does not hold, in groups: constants, delegates' payloads, inputs and outputs of the
/// caller, and what running took as far as the trace recorded it.
[[nodiscard]] ReportRows besideRows(const MemoryPlan& plan);

}  // namespace et::visualizers
