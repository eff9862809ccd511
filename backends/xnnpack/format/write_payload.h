#pragma once

#include "backends/xnnpack/payload/payload.h"

#include <cstddef>
#include <vector>

namespace et::backends::xnnpack {

/// Serializes a payload for XNNPACK like a compiler: header, tables, then constants. Writes the content of
/// `payload` unchanged, even if it is inconsistent, except that value ids become their indices. Constants
/// without data become "not a constant".
[[nodiscard]] std::vector<std::byte> writePayload(const Payload& payload);

}  // namespace et::backends::xnnpack
