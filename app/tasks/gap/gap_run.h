#pragma once

#include "app/tasks/base/interruption.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/gap/gap_input_sets.h"
#include "app/tasks/model/model.h"
#include "app/tasks/sanitize/memory_finding.h"
#include "backends/reference/interpreter.h"
#include "inspector/numeric_gap/gap_calculation.h"
#include "inspector/numeric_gap/numeric_gap.h"
#include "inspector/numeric_gap/value_store.h"
#include "runtime/core/result.h"

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace et::tasks {

class OptionList;

/// Settings of a gap calculation, as on the command line.
struct GapSettings {
    std::vector<std::filesystem::path> files{};  ///< any of the following, recognized by content
    std::filesystem::path program;               ///< empty: use trace and debug buffer
    std::filesystem::path trace;
    std::filesystem::path debugBuffer;
    std::string inputs;  ///< --inputs; empty: the default inputs
    bool bisect = false;
    double tolerance = 1;  ///< for --bisect, as a factor of the error explained by rounding
    inspector::GapMetric metric = inspector::GapMetric::Mse;  ///< shown for every row
    backends::reference::Precision precision = backends::reference::Precision::AsExported;
    inspector::GapGraph reference = inspector::GapGraph::Exported;  ///< graph of the reference values
    bool keepsTensors = false;  ///< keep tensors in the rows; takes as much memory as everything that the
                                ///< model computes
    ModelOptions model;         ///< includes the record
    std::filesystem::path memoryReport{};  ///< memory errors found by --sanitize; empty: none
    const std::atomic<bool>* cancel = &InterruptionGuard::requested();  ///< set to true for Cancelled
    /// Opened before a sandbox forbids new files; null: runGaps() opens one.
    std::shared_ptr<inspector::ValueStore> store = nullptr;
};

/// Adds all options except those of the output.
void addGapOptions(OptionList& options, GapSettings& settings);
[[nodiscard]] inspector::GapOptions gapOptions(const GapSettings& settings);

struct GapResult {
    /// One per set of inputs; the rows show the first one.
    std::vector<std::shared_ptr<const inspector::NumericGap>> gaps;
    std::vector<std::string> emulated;                         ///< names of emulated backends
    std::string emulationNote;                                 ///< explains the consequences of emulation
    std::vector<std::string> warnings{};                       ///< files that contradict each other
    std::optional<std::vector<MemoryFinding>> memoryErrors{};  ///< nothing: not checked
};

/// Errors: InvalidArgument (the record belongs to another program, so values cannot be compared), those of
/// the files and of the calculation. Missing backends are emulated from the record.
[[nodiscard]] core::Result<GapResult> runGaps(const GapSettings& settings, ProgressReporter& watch);

}  // namespace et::tasks
