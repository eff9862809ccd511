#pragma once

#include "app/tasks/run/watch.h"
#include "app/tasks/soak/soak_run.h"

#include <string>

namespace et::app {

/// Names the operators inside of a delegate whose call differs: takes the call out of the program, with what
/// goes into it in the first execution, and executes it in the ways in which it differed. Sets
/// SoakFailure::inside or innerProblem; nothing where the failure is of a kernel.
void lookInside(const SoakSettings& settings, const std::string& method, SoakFailure& failure, Watch& watch);

}  // namespace et::app
