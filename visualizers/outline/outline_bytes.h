#pragma once

#include "inspector/session/session.h"
#include "visualizers/toolkit/flame_scene.h"

#include <cstdint>
#include <vector>

namespace et::visualizers {

/// By node of the scene's tree: the planned bytes that what is in it writes, each tensor at the instruction
/// that writes it first. Empty: the session has no program with the method, or its plan cannot be read.
[[nodiscard]] std::vector<std::uint64_t> writtenBytes(const inspector::Session& session,
                                                      const FlameScene& scene);

}  // namespace et::visualizers
