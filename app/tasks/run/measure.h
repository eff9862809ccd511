#pragma once

#include "app/tasks/run/model.h"
#include "app/tasks/run/watch.h"
#include "runtime/core/event_tracer.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace et::app {

/// How often a method is executed.
struct Repetitions {
    std::size_t warmup = 0;
    std::size_t measured = 1;
};

/// How long the executions took, in nanoseconds.
struct Timings {
    std::uint64_t load = 0;
    std::uint64_t first = 0;              ///< of all, warm-up included; 0: none ended
    std::vector<std::uint64_t> measured;  ///< behind the warm-up
    std::uint64_t instructions = 0;       ///< of one execution
};

/// Executes with the inputs given anew each time, which does not count. The warm-up is not recorded. A
/// request to end (InterruptionGuard) ends it with what was measured until then. Errors: as Model::execute(),
/// without Cancelled. `tracer` may be null.
[[nodiscard]] core::Result<Timings> measure(Model& model, const InputSet& inputs, Repetitions repetitions,
                                            core::EventTracer* tracer, Watch& watch);

}  // namespace et::app
