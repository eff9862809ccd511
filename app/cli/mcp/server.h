#pragma once

#include "runtime/core/result.h"

#include <string>
#include <vector>

namespace et::cli::mcp {

/// Serves the Model Context Protocol on stdin and stdout until the client closes stdin. Commands run in other
/// processes. Errors: Io.
[[nodiscard]] core::Result<> serve(const std::vector<std::string>& roots, std::string version);

}  // namespace et::cli::mcp
