#pragma once

#include "app/tasks/lab/optimize_settings.h"
#include "app/tasks/lab/work_folder.h"
#include "app/tasks/model/model_options.h"
#include "runtime/core/result.h"

#include <chrono>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace et::tasks {

/// Inputs for timing programs.
struct TimingInputs {
    std::string method;
    const CalibrationCase* given = nullptr;
    const WorkFolder* folder = nullptr;  ///< for files
    /// No measurement is started that would not end by then.
    std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
};

/// Returns the options for running programs that are timed here. Errors: Io.
[[nodiscard]] core::Result<ModelOptions> timingOptions(const TimingInputs& inputs,
                                                       const OptimizeSettings& settings);

/// Returns the nanoseconds per run of each program, measured alternately on this machine or by the command;
/// fewer, or none, after an interruption or for lack of time. Errors: those of measurePrograms();
/// InvalidArgument (the command fails, or its last line does not begin with a number of milliseconds; the
/// message contains the line).
[[nodiscard]] core::Result<std::vector<double>> candidateTimes(
    std::span<const std::filesystem::path> programs, const TimingInputs& inputs,
    const OptimizeSettings& settings);

}  // namespace et::tasks
