#pragma once

#include "app/tasks/shapes/shape_execution.h"
#include "app/tasks/shapes/shape_report.h"
#include "runtime/core/result.h"

namespace et::app {

/// Options of the process that runs one case: where it stands for itself, and which sizes it runs.
inline constexpr const char* shapeInProcessOption = "--in-process";
inline constexpr const char* shapeSizesOption = "--sizes";
inline constexpr const char* shapeBeforeOption = "--before";
inline constexpr const char* shapeLocateOption = "--locate";
/// The sizes of what has none.
inline constexpr const char* noSizes = "none";

/// executeShape() in a process of its own: one that dies or hangs is a report. Errors: InvalidArgument and
/// Unsupported (the model does not load at all: what the process said), Cancelled (InterruptionGuard was
/// asked to end), those of runSelf().
[[nodiscard]] core::Result<ShapeReport> runShapeApart(const ShapeTask& task);

}  // namespace et::app
