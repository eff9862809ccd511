#pragma once

#include "app/tasks/base/interruption.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/counters/count_run.h"
#include "app/tasks/model/inputs.h"
#include "app/tasks/model/measure.h"
#include "app/tasks/model/model.h"
#include "app/tasks/run/run_settings.h"
#include "etdump/recorder.h"
#include "runtime/core/result.h"
#include "runtime/executor/method.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

/// Writes the method's current outputs to `folder`, creating it if needed: output_0.npy (a list:
/// output_0_0.npy, output_0_1.npy, ...) for tensors, and `summary` as run.json, which contains all other
/// values. Errors: Io, Unsupported (a dtype that NumPy lacks).
[[nodiscard]] core::Result<> writeOutputs(executor::Method& method, std::string_view summary,
                                          const std::filesystem::path& folder);

/// Result of a run, with the model in its final state.
struct RunResult {
    std::optional<etdump::RecorderOptions> recording;  ///< nothing: no trace
    std::unique_ptr<etdump::Recorder> recorder;        ///< finished; null: no trace
    std::unique_ptr<Model> model;
    InputSet inputs;
    Timings timings;
    std::optional<CountReport> counted;  ///< with TraceOptions::counters
    std::vector<std::string> warnings;
    Interruption interruption = Interruption::None;

    /// True if an execution finished, so that there are outputs.
    [[nodiscard]] bool hasOutputs() const { return interruption == Interruption::None && timings.first != 0; }
};

/// Runs a program and records it as requested; `note` receives messages immediately. `counters` (null: none)
/// must have been opened before the process was confined, for TraceOptions::counters. If InterruptionGuard
/// requests an end, returns the results so far. A trace with events is completed even if the run fails.
/// Errors: those of the files, of the options of the trace, of Model and of the recorder.
[[nodiscard]] core::Result<RunResult> runProgram(const RunSettings& settings, ProgressReporter& watch,
                                                 const std::function<void(std::string_view)>& note,
                                                 const CounterSet* counters = nullptr);

}  // namespace et::tasks
