#pragma once

#include "visualizers/timeline/time_sum_model.h"
#include "visualizers/timeline/timeline_scene.h"
#include "visualizers/timeline/timeline_statistics.h"

#include <vector>

namespace et::visualizers {

/// The rows of a search, those that take most time first: each with its median, its part of the median of
/// its block's executions, and how often it ran. Of the first timeline; empty where nothing is searched.
[[nodiscard]] std::vector<TimeSum> matchSums(const TimelineScene& scene);

/// Sums of a stretch of `length` ticks; `unnamed` is what a sum without a name is called.
[[nodiscard]] std::vector<TimeSum> stretchSums(const Timeline& timeline, const std::vector<NamedTime>& times,
                                               std::uint64_t length, const QString& unnamed);

}  // namespace et::visualizers
