#pragma once

#include "app/output/cells.h"
#include "app/tasks/lab/quantize_run.h"

#include <string>

namespace et::output {

/// Text for a terminal: a table of the sites with their scales, sites that stay in float with the reason, and
/// the resulting program (lowerText()).
[[nodiscard]] std::string quantizeText(const tasks::QuantizeResult& result, Style style);
/// docs/reference/json_quantization.md, quantize.
[[nodiscard]] Dict quantizeInfo(const tasks::QuantizeResult& result);

}  // namespace et::output
