#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/model/model.h"
#include "app/tasks/run/run_settings.h"
#include "runtime/core/event_tracer.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <vector>

namespace et::tasks {

/// Times of the executions in nanoseconds.
struct Timings {
    std::uint64_t load = 0;
    std::uint64_t first = 0;              ///< first execution, including warm-up; 0: none finished
    std::vector<std::uint64_t> measured;  ///< executions after the warm-up
    std::uint64_t instructions = 0;       ///< per execution
};

/// Executes with the inputs set anew each time, which is not measured. The warm-up is not recorded. A request
/// to end (InterruptionGuard) ends it with the results measured so far. Errors: those of Model::execute()
/// except Cancelled. `tracer` may be null.
[[nodiscard]] core::Result<Timings> measure(Model& model, const InputSet& inputs, Repetitions repetitions,
                                            core::EventTracer* tracer, ProgressReporter& watch);

}  // namespace et::tasks
