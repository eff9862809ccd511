#pragma once

#include "app/tasks/compare/measured_program.h"
#include "app/tasks/compare/sides.h"
#include "app/tasks/run/interruption.h"
#include "app/tasks/run/model_options.h"
#include "app/tasks/run/watch.h"
#include "bundled_program/verify.h"
#include "inspector/comparison/comparison.h"
#include "inspector/format/time_scale.h"
#include "inspector/program_diff/program_diff.h"
#include "runtime/core/result.h"

#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace et::app {

/// How two sides are compared.
struct CompareSettings {
    std::array<Side, 2> sides;
    std::filesystem::path store;  ///< of baselines; empty: the default
    ModelOptions model;
    MeasureOptions measure;
    inspector::TimeScale scale = inspector::TimeScale::Nanoseconds;  ///< of the traces
    double threshold = 0.02;                                         ///< of the ratio, beyond 1
    double confidence = 0.95;
    bundled_program::Tolerances tolerances;  ///< of outputs
};

struct CompareResult {
    std::shared_ptr<const inspector::Comparison>
        comparison;                                  ///< null: interrupted before anything was measured
    std::optional<inspector::ProgramDiff> programs;  ///< nothing: not two programs
    std::vector<std::string> warnings;
    std::size_t executions = 0;  ///< of programs
    Interruption interruption = Interruption::None;
};

/// Measures the sides and compares them; programs run, and take turns where there are two. Errors: those of
/// the files, of the baselines and of measurePrograms(), without Cancelled.
[[nodiscard]] core::Result<CompareResult> compareSides(const CompareSettings& settings,
                                                       const ProgressOptions& progress);

}  // namespace et::app
