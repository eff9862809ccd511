#pragma once

#include "app/tasks/lab/optimize_run.h"
#include "inspector/format/table.h"

#include <string>

namespace et::app {

/// Text for a terminal: the front as a table, and the chosen point with the sites that stay in float.
[[nodiscard]] std::string optimizeText(const OptimizeResult& result, const OptimizeSettings& settings,
                                       inspector::report::Style style);
/// docs/reference/json_quantization.md, optimize.
[[nodiscard]] inspector::report::Dict optimizeInfo(const OptimizeResult& result,
                                                   const OptimizeSettings& settings);
/// All points by error and bytes, and by error and time if they were timed, as SVG.
[[nodiscard]] std::string optimizePicture(const OptimizeResult& result);

}  // namespace et::app
