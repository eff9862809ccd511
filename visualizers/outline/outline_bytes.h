#pragma once

#include "inspector/session/session.h"
#include "visualizers/toolkit/flame_scene.h"

#include <cstdint>
#include <vector>

namespace et::visualizers {

/// Planned bytes written in each node of the scene's tree; a tensor counts at the first instruction that
/// writes it. Empty if the session has no program with the method or its plan cannot be read.
[[nodiscard]] std::vector<std::uint64_t> writtenBytes(const inspector::Session& session,
                                                      const FlameScene& scene);

}  // namespace et::visualizers
