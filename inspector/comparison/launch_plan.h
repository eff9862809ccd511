#pragma once

#include <cstddef>
#include <span>
#include <vector>

// Plans how many launches, and how many runs in each, a comparison needs. Pure functions.
namespace et::inspector {

/// A launch of both sides: times of A and B per run, and its cost.
struct LaunchRecord {
    std::vector<double> a;
    std::vector<double> b;
    double startSeconds = 0;  ///< loading and warm-up
    double runSeconds = 0;    ///< all runs together
};

/// Budget for launches.
struct LaunchLimits {
    double seconds = 30;      ///< of all launches
    double threshold = 0.02;  ///< smallest change to detect
    std::size_t minLaunches = 12;
    std::size_t maxLaunches = 40;
};

/// Optimal number of runs per launch, from the spread of runs and launches and the cost of each; reserves at
/// least half of the time for more launches. Definition: Kalibera and Jones, "Rigorous benchmarking in
/// reasonable time", 2013.
[[nodiscard]] std::size_t runsPerLaunch(std::span<const LaunchRecord> pilot, const LaunchLimits& limits);

/// Whether there are enough launches for the threshold. Uses only the absolute differences, not which side is
/// slower, so that randomization tests keep their error rate.
[[nodiscard]] bool enoughLaunches(std::span<const LaunchRecord> launches, const LaunchLimits& limits);

}  // namespace et::inspector
