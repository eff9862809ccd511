#pragma once

#include "runtime/core/result.h"
#include "runtime/program/method.h"

namespace et::inspector {

/// Whether the method keeps state between runs, in the program or in caches of the host. Errors: those of
/// MemoryTimeline::build().
[[nodiscard]] core::Result<bool> keepsState(const program::Method& method);

}  // namespace et::inspector
