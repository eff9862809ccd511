#pragma once

#include "backends/xnnpack/payload/payload.h"
#include "runtime/core/result.h"

#include <cstddef>

namespace et::backends::xnnpack {

/// Whether the scales of what a node reads and writes are as near to one another as the library's integer
/// arithmetic needs, which it asserts. Values are known to have positive scales. Errors: Unsupported.
[[nodiscard]] core::Result<> checkScales(const Payload& payload, std::size_t node);

}  // namespace et::backends::xnnpack
