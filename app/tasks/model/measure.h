#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/model/model.h"
#include "runtime/core/event_tracer.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace et::tasks {

/// Number of executions of a method.
struct Repetitions {
    std::size_t warmup = 0;
    std::size_t measured = 1;
};

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
