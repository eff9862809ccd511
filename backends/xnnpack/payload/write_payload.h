#pragma once

#include "backends/xnnpack/payload/payload.h"

#include <cstddef>
#include <vector>

namespace et::backends::xnnpack {

/// A payload for XNNPACK as a compiler would write it: header, tables, constants behind them. What `payload`
/// says is written as it is, also where it contradicts itself; only ids are new: the indices of the values.
/// Constants of which the data is empty stay what "not a constant" is.
[[nodiscard]] std::vector<std::byte> writePayload(const Payload& payload);

}  // namespace et::backends::xnnpack
