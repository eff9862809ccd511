#pragma once

#include <span>

namespace et::inspector {

/// The value that a `fraction` (0 to 1) of the samples does not exceed, interpolated between the closest two
/// as in summarize(). At least one sample is required.
[[nodiscard]] double computePercentile(std::span<const double> samples, double fraction);

}  // namespace et::inspector
