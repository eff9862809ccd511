#pragma once

#include "visualizers/timeline/time_sum_model.h"
#include "visualizers/timeline/timeline_scene.h"
#include "visualizers/timeline/timeline_statistics.h"

#include <vector>

namespace et::visualizers {

/// Matching rows of the first timeline by time, largest first: median, fraction of the median of its block's
/// executions, and number of calls. Empty if there is no search.
[[nodiscard]] std::vector<TimeSum> matchSums(const TimelineScene& scene);

/// Sums over a range of `length` ticks, each with its longest event; `unnamed` replaces an empty name.
[[nodiscard]] std::vector<TimeSum> stretchSums(const Timeline& timeline, const std::vector<NamedTime>& times,
                                               std::uint64_t length, const QString& unnamed);

}  // namespace et::visualizers
