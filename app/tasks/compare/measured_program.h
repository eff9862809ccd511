#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/compare/model_process.h"
#include "inspector/comparison/comparison.h"
#include "runtime/program/program.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace et::tasks {

class OptionList;

/// Number of runs of the programs.
struct MeasureOptions {
    /// Counted executions of each program over all launches; nothing: determined by a pilot, or 50 for a
    /// single program.
    std::optional<std::size_t> iterations;
    std::optional<std::size_t> warmup;  ///< per launch; nothing: until the times are steady
    /// Launches of each program; nothing: at least 12, until they suffice or the time limit is reached, and 1
    /// for a single program.
    std::optional<std::size_t> launches;
    double seconds = 30;      ///< limit for all launches, if their number or that of the runs is not given
    double threshold = 0.02;  ///< smallest change that launches must detect

    static constexpr std::size_t usualLaunches = 12;
    static constexpr std::size_t maxLaunches = 40;
};

/// A program to run.
struct ProgramToMeasure {
    std::filesystem::path file;
    std::filesystem::path record;  ///< ETRecord with the origin of its operators; empty: none
};

/// Result of measuring a program.
struct MeasuredProgram {
    inspector::Measurement measurement;
    std::shared_ptr<const program::Program> program;
    std::shared_ptr<const bundled_program::Bundle> outputs;  ///< owns the data of `elements`
    /// Same size as measurement.outputs; empty if the program did not accept the inputs of the others.
    std::vector<bundled_program::BundledValue> elements;
    std::size_t executions = 0;  ///< that count
};

/// Runs the programs in separate processes that alternate in random order: first until all times are steady,
/// then for the measurement. Two programs are launched repeatedly, each launch with random memory placement
/// and processors. If InterruptionGuard requests an end, the measurements so far are used. Errors: those of
/// the models, each with its file; Unsupported (one crashed); Cancelled (interrupted before any measurement).
[[nodiscard]] core::Result<std::vector<MeasuredProgram>> measurePrograms(
    std::span<const ProgramToMeasure> programs, const ModelOptions& options, const MeasureOptions& measure,
    const ProgressOptions& progress);

/// Adds --iterations and --warmup.
void addMeasureOptions(OptionList& options, MeasureOptions& measure);
/// Adds --launches and --time.
void addLaunchOptions(OptionList& options, MeasureOptions& measure);

}  // namespace et::tasks
