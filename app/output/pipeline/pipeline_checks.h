#pragma once

#include "app/output/cells.h"
#include "app/tasks/pipeline/pipeline_compare.h"
#include "app/tasks/pipeline/pipeline_gap.h"

#include <string>

/// Results of `et-inspect pipeline gap` and `verify`.
namespace et::output {

/// The errors of each stage, or of each call (`byIteration`), and the first divergence.
[[nodiscard]] std::string pipelineGapText(const tasks::PipelineGapResult& result, bool byIteration,
                                          Style style);
/// One row for each output of a call.
[[nodiscard]] Table pipelineGapTable(const tasks::PipelineGapResult& result);
/// docs/reference/json_profiling.md, pipeline.
[[nodiscard]] Dict pipelineGapInfo(const tasks::PipelineGapResult& result);

[[nodiscard]] std::string comparisonText(const tasks::PipelineComparison& result, Style style);
[[nodiscard]] Table comparisonTable(const tasks::PipelineComparison& result);
[[nodiscard]] Dict comparisonInfo(const tasks::PipelineComparison& result);

}  // namespace et::output
