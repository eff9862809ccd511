#pragma once

#include "app/tasks/lab/quantize_run.h"

#include <string>

namespace et::app {

/// Returns Python code for the exporter that quantizes the model like `settings`: a function to paste, using
/// ExecuTorch's XNNPACKQuantizer or torchao's quantize_().
[[nodiscard]] std::string quantizeRecipe(const QuantizeResult& result, const QuantizeSettings& settings);

}  // namespace et::app
