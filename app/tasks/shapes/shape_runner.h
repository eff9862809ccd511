#pragma once

#include "app/tasks/shapes/shape_execution.h"
#include "app/tasks/shapes/shape_report.h"
#include "runtime/core/result.h"

namespace et::tasks {

class OptionList;

/// Option that marks the process that runs one case.
inline constexpr const char* shapeInProcessOption = "--in-process";
/// Adds the hidden options of that process: the sizes to run.
void addShapeTaskOptions(OptionList& options, ShapeTask& task);

/// Runs executeShape() in a separate process: one that dies or hangs is a report. Errors: InvalidArgument and
/// Unsupported (the model does not load; contains the process's message), Cancelled (InterruptionGuard
/// requested an end), those of runSelf().
[[nodiscard]] core::Result<ShapeReport> runShapeApart(const ShapeTask& task);

}  // namespace et::tasks
