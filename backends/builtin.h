#pragma once

#include "runtime/executor/backend.h"

#include <span>

namespace et::backends {

/// The backends of this build that run delegates, for executor::Environment. Lives forever.
[[nodiscard]] std::span<const executor::Backend* const> builtin();

/// Those whose payloads this build can describe: builtin(), and some that run elsewhere only, which refuse to
/// load. Lives forever.
[[nodiscard]] std::span<const executor::Backend* const> describable();

}  // namespace et::backends
