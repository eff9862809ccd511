#pragma once

#include "app/tasks/reduce/reduce_run.h"

#include <string>

namespace et::tasks {

/// README.md of the result, in Markdown: the failure, how to reproduce it, expected and actual values,
/// source.
[[nodiscard]] std::string reductionPage(const Reduction& reduction, const ReduceSettings& settings);

}  // namespace et::tasks
