#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/counters/counter_set.h"
#include "app/tasks/counters/counting_tracer.h"
#include "app/tasks/model/measure.h"
#include "app/tasks/model/model.h"
#include "app/tasks/model/model_options.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

/// Current clock rates and temperature of the machine; nothing if the system does not report them.
struct MachineState {
    std::optional<double> slowestClock{};  ///< MHz, over all cores
    std::optional<double> fastestClock{};
    std::optional<double> temperature{};  ///< °C, maximum of all sensors
};

/// `system`: mount point of sysfs.
[[nodiscard]] MachineState machineState(const std::filesystem::path& system = "/sys");

/// Counts of an instruction per execution of the method.
struct CountedRow {
    CountedSite site;
    std::string name{};      ///< "aten::add.out", "delegate 0 (XnnpackBackend)", "move"
    double calls = 0;        ///< per execution
    double nanoseconds = 0;  ///< of all calls
    std::array<std::optional<double>, counterKinds> counted{};  ///< nothing: unknown
};

struct CountReport {
    std::string file{};
    std::string method{};
    std::size_t runs = 0;
    std::size_t threads = 1;
    std::vector<CountedRow> rows{};  ///< longest time first
    CountedRow total{};              ///< sum of all instructions
    std::vector<std::string> refusals{};
    double readingNanoseconds = 0;  ///< time of one reading of all counters; there are two per call
    double leastRunning = 1;  ///< fraction (0 to 1) of the time during which the least active multiplexed
                              ///< counter was counting
    MachineState before{};
    MachineState after{};
};

/// Report of a tracer's counts while a model ran; without `before` and `after`.
[[nodiscard]] CountReport reportOf(const std::filesystem::path& program, const Model& model,
                                   std::size_t threads, const CountingTracer& tracer,
                                   const CounterSet& counters);

/// Runs a program and counts events. `counters` must be created before there are threads. Errors: those of
/// Model and of measure(); Cancelled (interrupted before any execution was counted).
[[nodiscard]] core::Result<CountReport> countRun(const std::filesystem::path& program,
                                                 const ModelOptions& options, Repetitions repetitions,
                                                 const CounterSet& counters, ProgressReporter& watch,
                                                 const std::function<void(std::string_view)>& note);

}  // namespace et::tasks
