#pragma once

#include "app/tasks/reduce/reduce_run.h"

#include <string>

namespace et::app {

/// README.md of the result: what fails, how to see it, expected and got, where it comes from. In Markdown.
[[nodiscard]] std::string reductionPage(const Reduction& reduction, const ReduceSettings& settings);

}  // namespace et::app
