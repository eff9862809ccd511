#pragma once

#include "runtime/core/result.h"

#include <xnnpack.h>

#include <string_view>

namespace et::backends::xnnpack {

/// Errors: Unsupported or Limit, naming `what`.
[[nodiscard]] core::Result<> checkStatus(xnn_status status, std::string_view what);

}  // namespace et::backends::xnnpack
