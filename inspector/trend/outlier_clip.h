#pragma once

#include <span>
#include <vector>

namespace et::inspector {

/// Window for detecting outliers by the median, centered on the point. At the ends it has the same length,
/// because two outliers of three would be the median.
inline constexpr std::size_t clipWindow = 5;

/// Clips values further than `most` from the median of the points around them to that distance: one disturbed
/// measurement must not outweigh ten others, but a level of three points is preserved. Definition: Hampel,
/// "The influence curve and its role in robust estimation", 1974. `room` is scratch for the call. Fewer than
/// clipWindow points are unchanged.
void clipOutliers(std::span<float> series, float most, std::vector<float>& room);

}  // namespace et::inspector
