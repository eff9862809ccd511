#pragma once

#include "app/tasks/counters/counter_set.h"
#include "app/tasks/counters/counting_tracer.h"
#include "app/tasks/counters/machine_state.h"
#include "app/tasks/run/measure.h"
#include "app/tasks/run/model.h"
#include "app/tasks/run/model_options.h"
#include "app/tasks/run/watch.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::app {

/// What an instruction did, by execution of the method.
struct CountedRow {
    CountedSite site;
    std::string name{};      ///< "aten::add.out", "delegate 0 (XnnpackBackend)", "move"
    double calls = 0;        ///< in an execution
    double nanoseconds = 0;  ///< of these together
    std::array<std::optional<double>, counterKinds> counted{};  ///< nothing: not known
};

struct CountReport {
    std::string file{};
    std::string method{};
    std::size_t runs = 0;
    std::size_t threads = 1;
    std::vector<CountedRow> rows{};  ///< those that took longest first
    CountedRow total{};              ///< all of them
    std::vector<std::string> refusals{};
    double readingNanoseconds = 0;  ///< what one reading of all counters takes; two are made for a call
    double leastRunning = 1;  ///< part (0 to 1) of the time that the counter with the fewest turns counted
    MachineState before{};
    MachineState after{};
};

/// What a tracer has counted while a model ran; without `before` and `after`.
[[nodiscard]] CountReport reportOf(const std::filesystem::path& program, const Model& model,
                                   std::size_t threads, const CountingTracer& tracer,
                                   const CounterSet& counters);

/// Runs a program and counts. `counters` were made before there were threads. Errors: those of Model and of
/// measure(); Cancelled (ended before any execution was counted).
[[nodiscard]] core::Result<CountReport> countRun(const std::filesystem::path& program,
                                                 const ModelOptions& options, Repetitions repetitions,
                                                 const CounterSet& counters, Watch& watch,
                                                 const std::function<void(std::string_view)>& note);

}  // namespace et::app
