#pragma once

#include "app/tasks/lab/quantize_run.h"

#include <string>

namespace et::app {

/// Python for the exporter that quantizes the model as `settings` did: a function to paste, of ExecuTorch's
/// XNNPACKQuantizer or torchao's quantize_().
[[nodiscard]] std::string quantizeRecipe(const QuantizeResult& result, const QuantizeSettings& settings);

}  // namespace et::app
