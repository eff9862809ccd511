#pragma once

#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/result.h"

namespace et::backends::xnnpack {

/// Checks that datatypes, quantization parameters and roles of values are consistent, which the library
/// assumes. Whether an operator supports a combination is left to the library. Errors: Format, Unsupported.
[[nodiscard]] core::Result<> checkTypes(const Payload& payload);

}  // namespace et::backends::xnnpack
