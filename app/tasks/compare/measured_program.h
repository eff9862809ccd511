#pragma once

#include "app/tasks/compare/lane.h"
#include "app/tasks/run/watch.h"
#include "inspector/comparison/comparison.h"
#include "runtime/program/program.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace et::app {

/// How often programs are run.
struct MeasureOptions {
    /// That count, of each program in all launches; nothing: as many as a pilot says, and 50 of a program
    /// alone.
    std::optional<std::size_t> iterations;
    std::optional<std::size_t> warmup;  ///< of each launch; nothing: until the times are steady
    /// Of each program; nothing: from 12 on until they are enough or the time is over, and 1 of a program
    /// alone.
    std::optional<std::size_t> launches;
    double seconds = 30;      ///< for all launches, where their number or that of the runs is left open
    double threshold = 0.02;  ///< changes that launches have to tell from none

    static constexpr std::size_t usualLaunches = 12;
    static constexpr std::size_t maxLaunches = 40;
};

/// A program to run.
struct ProgramToMeasure {
    std::filesystem::path file;
    std::filesystem::path record;  ///< an ETRecord that says what its operators were; empty: none
};

/// What running it told.
struct MeasuredProgram {
    inspector::Measurement measurement;
    std::shared_ptr<const program::Program> program;
    std::shared_ptr<const bundled_program::Bundle> outputs;  ///< owns what `elements` show
    /// As many as measurement.outputs; none where it did not take the inputs of the others.
    std::vector<bundled_program::BundledValue> elements;
    std::size_t executions = 0;  ///< that count
};

/// Runs the programs in processes of their own, which take turns, in an order left to chance: first until the
/// times of all are steady and then to measure. Two programs are launched again and again, at places in
/// memory and on processors that are drawn for each launch. When InterruptionGuard is asked to end, what was
/// measured until then counts. Errors: those of the models, each with its file; Unsupported (one crashed);
/// Cancelled (ended before anything was measured).
[[nodiscard]] core::Result<std::vector<MeasuredProgram>> measurePrograms(
    std::span<const ProgramToMeasure> programs, const ModelOptions& options, const MeasureOptions& measure,
    const ProgressOptions& progress);

}  // namespace et::app
