#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/soak/soak_run.h"

#include <string>

namespace et::tasks {

/// Names the operators inside a delegate whose call differs: cuts the call out of the program, with its
/// inputs from the first execution, and runs it in the variants in which it differed. Sets
/// SoakFailure::inside or innerProblem; does nothing if the failure is in a kernel.
void locateInsideDelegate(const SoakSettings& settings, const std::string& method, SoakFailure& failure,
                          ProgressReporter& watch);

}  // namespace et::tasks
