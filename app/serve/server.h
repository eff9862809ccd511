#pragma once

#include "runtime/core/result.h"

namespace et::serve {

/// Serves the Python package on standard input and output until the package closes them. If standard input is
/// a socket, it is used in both directions, and further connections can be opened on it; each has its own
/// thread. Ends running calls when the package is gone.
[[nodiscard]] core::Result<> serveStandardStreams();

}  // namespace et::serve
