#pragma once

#include "app/output/cells.h"
#include "app/tasks/pipeline/pipeline_run.h"

#include <string>

/// Results of `et-inspect pipeline run` and `profile`.
namespace et::output {

/// Stages, outputs, memory and acceptance rates. `byIteration`: also each call of a stage.
[[nodiscard]] std::string pipelineText(const tasks::PipelineResult& result, bool byIteration, Style style);
/// One row for each call of a stage, for CSV.
[[nodiscard]] Table pipelineCalls(const tasks::PipelineResult& result);
/// The first rows of a table with a row for each call; then how many there are.
[[nodiscard]] std::string firstCallsText(Table calls, Style style);
/// docs/reference/json_profiling.md, pipeline.
[[nodiscard]] Dict pipelineInfo(const tasks::PipelineResult& result);

}  // namespace et::output
