#pragma once

#include "app/tasks/counters/count_run.h"
#include "app/tasks/run/inputs.h"
#include "app/tasks/run/interruption.h"
#include "app/tasks/run/measure.h"
#include "app/tasks/run/model.h"
#include "app/tasks/run/trace_options.h"
#include "app/tasks/run/watch.h"
#include "etdump/recorder.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::app {

/// What is run, how often, and what is recorded of it.
struct RunSettings {
    std::filesystem::path program;
    ModelOptions model;
    TraceOptions trace;
    Repetitions repetitions;
};

/// A run that has ended, with the model as it left it.
struct RunResult {
    std::optional<etdump::RecorderOptions> recording;  ///< nothing: no trace
    std::unique_ptr<etdump::Recorder> recorder;        ///< finished; null: no trace
    std::unique_ptr<Model> model;
    InputSet inputs;
    Timings timings;
    std::optional<CountReport> counted;  ///< with TraceOptions::counters
    std::vector<std::string> warnings;
    Interruption interruption = Interruption::None;

    /// An execution has ended, so that there are outputs.
    [[nodiscard]] bool hasOutputs() const { return interruption == Interruption::None && timings.first != 0; }
};

/// Runs a program and records it as asked; `note` hears at once what may be of interest. When
/// InterruptionGuard is asked to end, what was done until then is the result. A trace with events is
/// completed even where the run fails. Errors: those of the files, of the options of the trace, of Model and
/// of the recorder.
[[nodiscard]] core::Result<RunResult> runProgram(const RunSettings& settings, Watch& watch,
                                                 const std::function<void(std::string_view)>& note);

}  // namespace et::app
