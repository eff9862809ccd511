#pragma once

#include "runtime/kernels/followers.h"

#include <cstddef>

namespace et::kernels {

/// Does steps to results in memory, on this thread: `pixels` one behind the other, with all their channels.
void doSteps(ResultSteps steps, float* elements, std::size_t pixels, std::size_t channels);

}  // namespace et::kernels
