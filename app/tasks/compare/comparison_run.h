#pragma once

#include "app/tasks/base/interruption.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/compare/budget.h"
#include "app/tasks/compare/measured_program.h"
#include "app/tasks/compare/sides.h"
#include "app/tasks/model/model_options.h"
#include "app/tasks/model/tolerance_options.h"
#include "inspector/comparison/comparison.h"
#include "inspector/format/trace_clock.h"
#include "inspector/program_diff/program_diff.h"
#include "runtime/core/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace et::tasks {

/// Conditions that make a comparison a regression.
enum class FailOn : std::uint8_t {
    Total,     ///< the total of a method is slower
    Operator,  ///< a method's total or one of its operators is slower
    Never,     ///< times are ignored
};
/// Adds --fail-on.
void addFailOn(OptionList& options, FailOn& failOn);

/// Settings of a comparison.
struct CompareSettings {
    std::vector<std::string> files;  ///< two traces, programs or names of baselines, and their ETRecords
    std::array<std::filesystem::path, 2> records;  ///< of the sides; empty: among `files`, or none
    std::filesystem::path store;                   ///< baseline store; empty: the default
    ModelOptions model;
    MeasureOptions measure;
    inspector::TraceClock clock{};  ///< of traces
    double thresholdPercent = 2;    ///< minimum deviation of the ratio from 1
    double confidencePercent = 95;
    FailOn failOn = FailOn::Total;
    bool checkOutputs = false;      ///< outputs out of tolerance are a regression
    ToleranceOptions tolerances{};  ///< of outputs; if given, they are checked
    std::vector<Budget> budgets{};  ///< limits for the second side
};

/// Adds all options except those of the output.
void addCompareOptions(OptionList& options, CompareSettings& settings);
/// All files that the settings name.
[[nodiscard]] std::vector<std::filesystem::path> inputsOf(const CompareSettings& settings);

struct CompareResult {
    std::shared_ptr<const inspector::Comparison> comparison;  ///< null: interrupted before any measurement
    std::optional<inspector::ProgramDiff> programs;           ///< nothing: the sides are not two programs
    std::vector<std::string> warnings;
    std::size_t executions = 0;  ///< of programs
    Interruption interruption = Interruption::None;
};

/// Measures the sides and compares them; programs are run, alternating if there are two. Errors:
/// InvalidArgument (not two sides, a wrong tolerance); those of the files, of the baselines and of
/// measurePrograms(), except Cancelled.
[[nodiscard]] core::Result<CompareResult> compareSides(const CompareSettings& settings,
                                                       const ProgressOptions& progress);

}  // namespace et::tasks
