#pragma once

#include "backends/xnnpack/payload/node_traits.h"
#include "backends/xnnpack/payload/payload.h"
#include "etrecord/exported_graph.h"

#include <optional>

namespace et::backends::xnnpack {

/// Whether the library fuses a clamp into preceding nodes of this kind.
[[nodiscard]] bool fusesClamp(NodeKind kind);
/// Range of a clamping node: relu, hardtanh, clamp; nothing for all others.
[[nodiscard]] std::optional<OutputRange> clampRange(const etrecord::Node& node);

}  // namespace et::backends::xnnpack
