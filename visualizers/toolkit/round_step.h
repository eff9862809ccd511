#pragma once

namespace et::visualizers {

/// 1, 2 or 5 times a power of ten, at least `min`, which is more than 0.
[[nodiscard]] double roundStep(double min);

}  // namespace et::visualizers
