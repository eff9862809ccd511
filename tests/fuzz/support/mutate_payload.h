#pragma once

#include "backends/xnnpack/payload/payload.h"

#include <cstddef>
#include <random>
#include <vector>

namespace et::fuzz {

/// Returns the same payload with some structured changes that byte flips would not get past the reader's
/// checks: kinds, inputs, outputs and fields of nodes; datatypes, sizes, quantization and constants of
/// values; inputs and outputs. Most dependent properties (lengths of constants, counts of scales) are
/// adjusted.
[[nodiscard]] std::vector<std::byte> mutatePayload(const backends::xnnpack::Payload& payload,
                                                   std::mt19937_64& random);

}  // namespace et::fuzz
