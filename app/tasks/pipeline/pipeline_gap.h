#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/pipeline/pipeline_run.h"
#include "app/tasks/pipeline/recorded_calls.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace et::tasks {

inline constexpr double usualPipelineTolerance = 1e-3;

/// An output of a call, compared with the reference.
struct PipelineGapRow {
    std::string stage;
    std::string iteration;
    std::string output;
    bool isProgram = false;
    bool isCovered = false;                       ///< the program has an ETRecord, or it is a host step
    TensorDifference own;                         ///< against the reference on the same inputs
    std::optional<TensorDifference> accumulated;  ///< against the reference of the whole pipeline; nothing:
                                                  ///< the reference did not run this iteration
};

/// The first call whose own error exceeds the tolerance, or which the reference did not run.
struct PipelineDivergence {
    std::string stage;
    std::string iteration;
    std::string cause;  ///< what reproduces the result, if found: "inputs 0 (x) and 1 (y) are swapped"
};

struct PipelineGapResult {
    std::string name;
    double tolerance = 0;
    std::vector<PipelineGapRow> rows;
    std::optional<PipelineDivergence> divergence;
    /// The first host step whose result differs between both pipelines although no stage diverges: a choice
    /// that rounding decides.
    std::optional<PipelineDivergence> choice;
    std::vector<std::string> uncovered;  ///< programs without an ETRecord
};

/// Runs the pipeline, and the same pipeline on the graphs of the ETRecords, and compares every stage and
/// iteration. Errors: those of runPipeline() and of the records; NotFound (no program has an ETRecord).
[[nodiscard]] core::Result<PipelineGapResult> measurePipelineGap(const PipelineSettings& settings,
                                                                 double tolerance, ProgressReporter& watch);

}  // namespace et::tasks
