#pragma once

#include "runtime/core/result.h"

#include <xnnpack.h>

#include <string_view>

namespace et::backends::xnnpack {

/// Errors: Unsupported or Limit, naming `what` and the violated `rule`, if it is known.
[[nodiscard]] core::Result<> checkStatus(xnn_status status, std::string_view what,
                                         std::string_view rule = {});

}  // namespace et::backends::xnnpack
