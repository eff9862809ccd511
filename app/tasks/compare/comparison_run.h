#pragma once

#include "app/tasks/base/interruption.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/compare/measured_program.h"
#include "app/tasks/compare/sides.h"
#include "app/tasks/model/model_options.h"
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

namespace et::tasks {

/// Settings of a comparison.
struct CompareSettings {
    std::array<Side, 2> sides;
    std::filesystem::path store;  ///< baseline store; empty: the default
    ModelOptions model;
    MeasureOptions measure;
    inspector::TimeScale scale = inspector::TimeScale::Nanoseconds;  ///< time unit of the traces
    double threshold = 0.02;  ///< minimum deviation of the ratio from 1
    double confidence = 0.95;
    bundled_program::Tolerances tolerances;  ///< of outputs
};

struct CompareResult {
    std::shared_ptr<const inspector::Comparison> comparison;  ///< null: interrupted before any measurement
    std::optional<inspector::ProgramDiff> programs;           ///< nothing: the sides are not two programs
    std::vector<std::string> warnings;
    std::size_t executions = 0;  ///< of programs
    Interruption interruption = Interruption::None;
};

/// Measures the sides and compares them; programs are run, alternating if there are two. Errors: those of the
/// files, of the baselines and of measurePrograms(), except Cancelled.
[[nodiscard]] core::Result<CompareResult> compareSides(const CompareSettings& settings,
                                                       const ProgressOptions& progress);

}  // namespace et::tasks
