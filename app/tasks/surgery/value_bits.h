#pragma once

#include "runtime/executor/method.h"

#include <string>
#include <vector>

namespace et::app {

/// What the outputs of the last execution are, to the bit: kind, dtype, sizes and elements of each.
[[nodiscard]] std::vector<std::string> outputBits(executor::Method& method);

}  // namespace et::app
