#pragma once

#include <span>
#include <vector>

namespace et::inspector {

/// Outliers are told by the median of so many points, themselves in the middle. At the ends the window is as
/// long: two outliers of three would be the median.
inline constexpr std::size_t clipWindow = 5;

/// Moves values that are further than `most` from the median of the points around them to that distance: one
/// measurement beside a compiler must not outweigh ten others, and a level of three points stays. Definition:
/// Hampel, "The influence curve and its role in robust estimation", 1974. `room` is for the call. Fewer than
/// clipWindow points stay as they are.
void clipOutliers(std::span<float> series, float most, std::vector<float>& room);

}  // namespace et::inspector
