#pragma once

#include "runtime/executor/backend.h"

#include <span>

namespace et::backends {

/// Backends of this build that run delegates, for executor::Environment. Static lifetime.
[[nodiscard]] std::span<const executor::Backend* const> builtin();

/// Backends whose payloads this build can describe: builtin(), and some that only run on other devices and
/// whose load fails here. Static lifetime.
[[nodiscard]] std::span<const executor::Backend* const> describable();

}  // namespace et::backends
