#pragma once

#include "app/tasks/lab/optimize_settings.h"
#include "app/tasks/lab/work_folder.h"
#include "app/tasks/run/model_options.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace et::app {

/// What programs are timed on.
struct TimingInputs {
    std::string method;
    const CalibrationCase* given = nullptr;
    const WorkFolder* folder = nullptr;  ///< for files
};

/// How programs that are timed here run. Errors: Io.
[[nodiscard]] core::Result<ModelOptions> timingOptions(const TimingInputs& inputs,
                                                       const OptimizeSettings& settings);

/// Nanoseconds of a run of each program, in turns on this machine or as the command says; fewer, or none,
/// after an interruption. Errors: as measurePrograms(); InvalidArgument (the command fails, or its last line
/// begins with no number of milliseconds: says what it printed).
[[nodiscard]] core::Result<std::vector<double>> candidateTimes(
    std::span<const std::filesystem::path> programs, const TimingInputs& inputs,
    const OptimizeSettings& settings);

}  // namespace et::app
