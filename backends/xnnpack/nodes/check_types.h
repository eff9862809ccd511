#pragma once

#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/result.h"

namespace et::backends::xnnpack {

/// Whether datatypes, quantization parameters and roles of values make sense together: what the library takes
/// for granted. Which combinations an operator computes is the library's own to say. Errors: Format,
/// Unsupported.
[[nodiscard]] core::Result<> checkTypes(const Payload& payload);

}  // namespace et::backends::xnnpack
