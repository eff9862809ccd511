#pragma once

#include "backends/xnnpack/nodes/node_traits.h"
#include "backends/xnnpack/payload/payload.h"
#include "etrecord/exported_graph.h"

#include <optional>

namespace et::backends::xnnpack {

/// Whether the library fuses a clamp into nodes of the kind before it.
[[nodiscard]] bool fusesClamp(NodeKind kind);
/// The range of a node that cuts its input off: relu, hardtanh, clamp; nothing of all others.
[[nodiscard]] std::optional<OutputRange> clampRange(const etrecord::Node& node);

}  // namespace et::backends::xnnpack
