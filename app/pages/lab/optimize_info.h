#pragma once

#include "app/tasks/lab/optimize_run.h"
#include "inspector/format/table.h"

#include <string>

namespace et::app {

/// For people: the front as a table, and what was chosen with the sites that stay in float.
[[nodiscard]] std::string optimizeText(const OptimizeResult& result, const OptimizeSettings& settings,
                                       inspector::report::Style style);
/// docs/json.md, "JSON of a search".
[[nodiscard]] inspector::report::Dict optimizeInfo(const OptimizeResult& result,
                                                   const OptimizeSettings& settings);
/// All points by error and bytes, and by error and time where they were timed, as SVG.
[[nodiscard]] std::string optimizePicture(const OptimizeResult& result);

}  // namespace et::app
