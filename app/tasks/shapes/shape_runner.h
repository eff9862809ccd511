#pragma once

#include "app/tasks/shapes/shape_execution.h"
#include "app/tasks/shapes/shape_report.h"
#include "runtime/core/result.h"

namespace et::tasks {

/// Options of the process that runs one case: the marker for that process, and the sizes to run.
inline constexpr const char* shapeInProcessOption = "--in-process";
inline constexpr const char* shapeSizesOption = "--sizes";
inline constexpr const char* shapeBeforeOption = "--before";
inline constexpr const char* shapeLocateOption = "--locate";
/// Placeholder for values without sizes.
inline constexpr const char* noSizes = "none";

/// Runs executeShape() in a separate process: one that dies or hangs is a report. Errors: InvalidArgument and
/// Unsupported (the model does not load; contains the process's message), Cancelled (InterruptionGuard
/// requested an end), those of runSelf().
[[nodiscard]] core::Result<ShapeReport> runShapeApart(const ShapeTask& task);

}  // namespace et::tasks
