#pragma once

#include <span>

namespace et::inspector {

/// The value that `fraction` (0 to 1) of the samples, of which there is one at least, do not exceed: between
/// the closest two of them as in summarize().
[[nodiscard]] double percentileOf(std::span<const double> samples, double fraction);

}  // namespace et::inspector
