#pragma once

#include "app/pages/run/run_facts.h"
#include "app/tasks/run/model.h"
#include "app/tasks/run/watch.h"
#include "etdump/recorder.h"
#include "runtime/core/result.h"

#include <cstddef>

namespace et::cli {

/// How often a method is executed.
struct Repetitions {
    std::size_t warmup = 0;
    std::size_t measured = 1;
};

/// Executes with the inputs given anew each time, which does not count. The warm-up is not recorded. A
/// request to end (InterruptionGuard) ends it with what was measured until then. Errors: as Model::execute(),
/// without Cancelled. `recorder` may be null.
[[nodiscard]] core::Result<Timings> measure(Model& model, const InputSet& inputs, Repetitions repetitions,
                                            etdump::Recorder* recorder, Watch& watch);

}  // namespace et::cli
