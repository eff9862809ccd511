#pragma once

#include "app/tasks/lab/quantize_run.h"
#include "inspector/format/table.h"

#include <string>

namespace et::output {

/// Text for a terminal: a table of the sites with their scales, sites that stay in float with the reason, and
/// the resulting program (lowerText()).
[[nodiscard]] std::string quantizeText(const tasks::QuantizeResult& result, inspector::format::Style style);
/// docs/reference/json_quantization.md, quantize.
[[nodiscard]] inspector::format::Dict quantizeInfo(const tasks::QuantizeResult& result);

}  // namespace et::output
