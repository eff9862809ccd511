#pragma once

#include "app/tasks/compare/thread_curve.h"
#include "inspector/format/table.h"

#include <span>
#include <string>

namespace et::app {

/// One row per model and number of threads.
[[nodiscard]] inspector::report::Table threadCurveTable(std::span<const ThreadCurve> curves);
/// Describes what does not scale; empty if everything does.
[[nodiscard]] std::string notScalingText(std::span<const ThreadCurve> curves);
/// docs/reference/json_profiling.md, bench.
[[nodiscard]] inspector::report::Dict threadCurveInfo(std::span<const ThreadCurve> curves);

}  // namespace et::app
