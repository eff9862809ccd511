#pragma once

#include "inspector/comparison/statistics.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace et::inspector {

/// The runs of both sides in one launch.
struct LaunchRuns {
    std::span<const double> a;
    std::span<const double> b;
};

/// Hierarchical bootstrap: the variation of the mean difference if all launches and their runs were measured
/// again. Definition: Davison and Hinkley, "Bootstrap methods and their application", 1997, section 3.8.
struct HierarchyPlan {
    std::size_t resamples = 2000;
    std::size_t work = 20'000'000;  ///< maximum number of run draws
    std::uint64_t seed = 0;
};

/// For each launch, logarithms of fasterHalf(b) / fasterHalf(a) with its runs redrawn; times are at least
/// `floor`.
[[nodiscard]] std::vector<std::vector<double>> redrawnRuns(std::span<const LaunchRuns> launches, double floor,
                                                           const HierarchyPlan& plan);

/// Means over redrawn launches, each with one of its `redrawn` values minus its `offset`, clipped to `kept`,
/// plus `added`.
struct RedrawnLaunches {
    std::span<const std::vector<double>> redrawn;
    std::span<const double> offset;
    std::span<const double> added;
    Interval kept{};
};
[[nodiscard]] std::vector<double> redrawnMeans(const RedrawnLaunches& launches, const HierarchyPlan& plan);

}  // namespace et::inspector
