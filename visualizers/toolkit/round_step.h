#pragma once

namespace et::visualizers {

/// Smallest number of the form 1, 2 or 5 times a power of ten that is at least `min` (> 0).
[[nodiscard]] double roundStep(double min);

}  // namespace et::visualizers
