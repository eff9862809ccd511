#pragma once

#include "runtime/executor/method.h"

#include <string>
#include <vector>

namespace et::tasks {

/// Exact content of the outputs of the last execution: kind, dtype, sizes and elements of each.
[[nodiscard]] std::vector<std::string> outputBits(executor::Method& method);

}  // namespace et::tasks
