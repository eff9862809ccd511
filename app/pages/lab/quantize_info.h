#pragma once

#include "app/tasks/lab/quantize_run.h"
#include "inspector/format/table.h"

#include <string>

namespace et::app {

/// For people: a table of the sites with their scales, what stays in float and why, and what the program
/// became (lowerText()).
[[nodiscard]] std::string quantizeText(const QuantizeResult& result, inspector::report::Style style);
/// docs/json.md, "JSON of a quantized program".
[[nodiscard]] inspector::report::Dict quantizeInfo(const QuantizeResult& result);

}  // namespace et::app
