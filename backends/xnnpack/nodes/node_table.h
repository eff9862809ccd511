#pragma once

#include "backends/xnnpack/payload/node_traits.h"

#include <cstdint>
#include <span>

namespace et::backends::xnnpack {

/// All kinds, indexed by number starting at 1.
[[nodiscard]] std::span<const NodeKindInfo> nodeKinds();

/// Null for an unknown number.
[[nodiscard]] const NodeKindInfo* nodeKind(std::uint8_t number);

}  // namespace et::backends::xnnpack
