#pragma once

#include "app/output/cells.h"
#include "app/tasks/compare/thread_curve.h"

#include <span>
#include <string>

namespace et::output {

/// One row per model and number of threads.
[[nodiscard]] Table threadCurveTable(std::span<const tasks::ThreadCurve> curves);
/// Describes what does not scale; empty if everything does.
[[nodiscard]] std::string notScalingText(std::span<const tasks::ThreadCurve> curves);
/// docs/reference/json_profiling.md, bench.
[[nodiscard]] Dict threadCurveInfo(std::span<const tasks::ThreadCurve> curves);

}  // namespace et::output
