#pragma once

#include "app/tasks/lab/quantize_run.h"

#include <string>

namespace et::app {

/// The recipe of a model whose sites have several schemes: torchao's quantize_() for modules with weights of
/// 4 bits or weights alone, half precision for modules between casts, and XNNPACKQuantizers, each with the
/// nodes that are its own, composed.
[[nodiscard]] std::string mixedRecipe(const QuantizeResult& result, const QuantizeSettings& settings);

}  // namespace et::app
