#pragma once

#include "backends/lowering/emission.h"

namespace et::backends::lowering {

/// Emits control flow (cond, map, scan). Returns false for another node. Errors: InvalidArgument (unexpected
/// arguments), those of Emission::addSubgraph().
[[nodiscard]] core::Result<bool> emitControlFlow(Emission& emission, const etrecord::Node& node);

}  // namespace et::backends::lowering
