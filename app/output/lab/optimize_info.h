#pragma once

#include "app/output/cells.h"
#include "app/tasks/lab/optimize_run.h"

#include <string>

namespace et::output {

/// Text for a terminal: the front as a table, and the chosen point with the sites that stay in float.
[[nodiscard]] std::string optimizeText(const tasks::OptimizeResult& result,
                                       const tasks::OptimizeSettings& settings, Style style);
/// docs/reference/json_quantization.md, optimize.
[[nodiscard]] Dict optimizeInfo(const tasks::OptimizeResult& result, const tasks::OptimizeSettings& settings);
/// A point as in optimizeInfo().
[[nodiscard]] Dict optimizePointInfo(const tasks::OptimizeResult& result, const tasks::OptimizePoint& point);
/// All points by error and bytes, and by error and time if they were timed, as SVG.
[[nodiscard]] std::string optimizePicture(const tasks::OptimizeResult& result);

}  // namespace et::output
