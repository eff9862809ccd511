#pragma once

#include "app/tasks/lab/quantize_run.h"

#include <string>

namespace et::app {

/// What a recipe of the exporter says of remedies: Python, each part empty where it has nothing to say.
struct RemedyRecipe {
    std::string functions;        ///< definitions
    std::string beforeExport;     ///< lines about `model`
    std::string afterPreparing;   ///< about `prepared`, once it has seen all inputs
    std::string afterConverting;  ///< about `converted`
};
[[nodiscard]] RemedyRecipe remedyRecipe(const QuantizeResult& result);

}  // namespace et::app
