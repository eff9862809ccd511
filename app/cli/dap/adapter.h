#pragma once

#include "runtime/core/result.h"

namespace et::cli::dap {

/// Serves the Debug Adapter Protocol on stdin and stdout until the client disconnects. The model runs in a
/// child process, `et-inspect debug --format json`. Errors: Format, Limit (a message that cannot be read),
/// Io.
[[nodiscard]] core::Result<> runAdapter();

}  // namespace et::cli::dap
