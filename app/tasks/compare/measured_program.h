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
    std::size_t iterations = 50;        ///< that count
    std::optional<std::size_t> warmup;  ///< nothing: until the times are steady
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

/// Runs the programs in processes of their own, taking turns (A B A B ...), first until the times of all are
/// steady and then to measure. When InterruptionGuard is asked to end, what was measured until then counts.
/// Errors: those of the models, each with its file; Unsupported (one crashed); Cancelled (ended before
/// anything was measured).
[[nodiscard]] core::Result<std::vector<MeasuredProgram>> measurePrograms(
    std::span<const ProgramToMeasure> programs, const ModelOptions& options, const MeasureOptions& measure,
    const ProgressOptions& progress);

}  // namespace et::app
