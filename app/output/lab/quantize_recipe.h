#pragma once

#include "app/tasks/lab/quantize_run.h"

#include <string>

namespace et::output {

/// Returns Python code for the exporter that quantizes the model like `settings`: a function to paste, using
/// ExecuTorch's XNNPACKQuantizer or torchao's quantize_().
[[nodiscard]] std::string quantizeRecipe(const tasks::QuantizeResult& result,
                                         const tasks::QuantizeSettings& settings);

}  // namespace et::output
