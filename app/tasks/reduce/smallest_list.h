#pragma once

#include "runtime/core/result.h"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace et::app {

/// Whether what is kept, ascending and never all, still fails. Errors end the search.
using StillFails = std::function<core::Result<bool>(std::span<const std::size_t> kept)>;

/// A list of which no item can be left out, and no run of neighbours that was tried: from both ends, in steps
/// that are halved while they do not help, then in between (delta debugging). `all` fails. Asks once for each
/// list. Errors: those of `fails`.
[[nodiscard]] core::Result<std::vector<std::size_t>> smallestFailing(std::vector<std::size_t> all,
                                                                     const StillFails& fails);

}  // namespace et::app
