#pragma once

#include "app/tasks/lab/quantize_run.h"
#include "inspector/format/table.h"

#include <string>

namespace et::app {

/// Text for a terminal: a table of the sites with their scales, sites that stay in float with the reason, and
/// the resulting program (lowerText()).
[[nodiscard]] std::string quantizeText(const QuantizeResult& result, inspector::report::Style style);
/// docs/reference/json_quantization.md, quantize.
[[nodiscard]] inspector::report::Dict quantizeInfo(const QuantizeResult& result);

}  // namespace et::app
