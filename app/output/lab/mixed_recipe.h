#pragma once

#include "app/tasks/lab/quantize_run.h"

#include <string>

namespace et::output {

/// The recipe of a model whose sites have several schemes: torchao's quantize_() for modules with 4-bit or
/// weight-only quantization, half precision for modules between casts, and composed XNNPACKQuantizers, each
/// with its own nodes.
[[nodiscard]] std::string mixedRecipe(const tasks::QuantizeResult& result,
                                      const tasks::QuantizeSettings& settings);

}  // namespace et::output
