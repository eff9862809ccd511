#pragma once

#include "runtime/core/result.h"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace et::tasks {

/// Whether the kept items (ascending, never all) still fail. Errors end the search.
using StillFails = std::function<core::Result<bool>(std::span<const std::size_t> kept)>;

/// Finds a list from which no item, and no tried run of neighbours, can be removed: first from both ends, in
/// steps that are halved while they do not help, then in between (delta debugging). `all` fails. Tests each
/// list once. Errors: those of `fails`.
[[nodiscard]] core::Result<std::vector<std::size_t>> smallestFailing(std::vector<std::size_t> all,
                                                                     const StillFails& fails);

}  // namespace et::tasks
