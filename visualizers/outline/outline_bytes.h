#pragma once

#include "inspector/session/session.h"
#include "visualizers/toolkit/flame_scene.h"

#include <cstdint>
#include <vector>

namespace et::visualizers {

/// Bytes written in the nodes of a tree.
struct WrittenBytes {
    std::vector<std::uint64_t> byNode;  ///< empty: unknown
    std::vector<bool> isUpperBound;     ///< by node: includes tensors of which only the largest size is known
};

/// Bytes written in each node of the scene's tree; a tensor counts at the first instruction that writes it.
/// Tensors of dynamic shape have the sizes that the trace logged, otherwise their largest. Empty if the
/// session has no program with the method or its plan cannot be read.
[[nodiscard]] WrittenBytes writtenBytes(const inspector::Session& session, const FlameScene& scene);

}  // namespace et::visualizers
