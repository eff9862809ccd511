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

/// How the mean difference would vary had all been measured again, launches and the runs in them: the
/// hierarchical bootstrap. Definition: Davison and Hinkley, "Bootstrap methods and their application", 1997,
/// section 3.8.
struct HierarchyPlan {
    std::size_t resamples = 2000;
    std::size_t work = 20'000'000;  ///< draws of runs that this may take
    std::uint64_t seed = 0;
};

/// Of each launch, logarithms of fasterHalf(b) / fasterHalf(a) had its runs been drawn again; no time counts
/// as less than `floor`.
[[nodiscard]] std::vector<std::vector<double>> redrawnRuns(std::span<const LaunchRuns> launches, double floor,
                                                           const HierarchyPlan& plan);

/// Means over launches drawn again, each with one of its `redrawn` values less its `offset`, cut off to what
/// is `kept` and with `added` on top.
struct RedrawnLaunches {
    std::span<const std::vector<double>> redrawn;
    std::span<const double> offset;
    std::span<const double> added;
    Interval kept{};
};
[[nodiscard]] std::vector<double> redrawnMeans(const RedrawnLaunches& launches, const HierarchyPlan& plan);

}  // namespace et::inspector
