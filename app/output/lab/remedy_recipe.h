#pragma once

#include "app/tasks/lab/quantize_run.h"

#include <string>

namespace et::output {

/// Python code for the remedies in a recipe; a member is empty if no code is needed.
struct RemedyRecipe {
    std::string functions;        ///< definitions
    std::string beforeExport;     ///< lines that change `model`
    std::string afterPreparing;   ///< lines that change `prepared`, after it has seen all inputs
    std::string afterConverting;  ///< about `converted`
};
[[nodiscard]] RemedyRecipe remedyRecipe(const tasks::QuantizeResult& result);

}  // namespace et::output
