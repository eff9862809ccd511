#pragma once

#include "runtime/executor/backend.h"

#include <span>

namespace et::backends {

/// The backends of this build, for executor::Environment. Lives forever.
[[nodiscard]] std::span<const executor::Backend* const> builtin();

}  // namespace et::backends
