#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/pipeline/pipeline_run.h"
#include "app/tasks/pipeline/recorded_calls.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace et::tasks {

/// The first call whose results differ between two variants of a pipeline.
struct VariantDifference {
    std::string stage;
    std::string iteration;
    std::vector<std::string> causes;  ///< differences of its definition and inputs, most specific first
    std::string output;               ///< name of the first output that differs; empty: the call is missing
    TensorDifference difference;
};

/// Differences of a stage over all iterations.
struct VariantRow {
    std::string stage;
    std::size_t calls = 0;
    std::size_t differing = 0;
    double relative = 0;  ///< largest relative difference of an output
};

struct PipelineComparison {
    std::string before;  ///< names of the manifests
    std::string after;
    double tolerance = 0;
    std::vector<VariantRow> stages;  ///< of the first variant
    std::optional<VariantDifference> first;
};

/// Runs two variants of a pipeline with the settings of the first, and compares the calls of stages of the
/// same name. `after`: manifest of the second variant. Errors: those of runPipeline(), for either.
[[nodiscard]] core::Result<PipelineComparison> comparePipelines(const PipelineSettings& settings,
                                                                const std::filesystem::path& after,
                                                                double tolerance, ProgressReporter& watch);

}  // namespace et::tasks
