#pragma once

#include "backends/xnnpack/payload/payload.h"

#include <cstddef>
#include <random>
#include <vector>

namespace et::fuzz {

/// The same payload with a few things changed that a byte flip would not reach past the reader's checks:
/// kinds, ends and fields of nodes; datatypes, sizes, quantization and constants of values; inputs and
/// outputs. Most of what follows from a change (lengths of constants, counts of scales) is changed with it.
[[nodiscard]] std::vector<std::byte> mutatePayload(const backends::xnnpack::Payload& payload,
                                                   std::mt19937_64& random);

}  // namespace et::fuzz
