#pragma once

#include <cstddef>
#include <span>
#include <vector>

// How many launches, and how many runs in each, make a comparison good enough. Pure functions.
namespace et::inspector {

/// A launch of both sides: the times of A and of B, run by run, and what it cost.
struct LaunchRecord {
    std::vector<double> a;
    std::vector<double> b;
    double startSeconds = 0;  ///< to load and warm up
    double runSeconds = 0;    ///< of all its runs together
};

/// What launches may cost.
struct LaunchLimits {
    double seconds = 30;      ///< of all of them
    double threshold = 0.02;  ///< changes that have to be told from none
    std::size_t minLaunches = 12;
    std::size_t maxLaunches = 40;
};

/// Runs in each launch that waste the least time, from the spread of the runs, that of the launches, and what
/// a run and a launch cost; at least half of the time stays for more launches. Definition: Kalibera and
/// Jones, "Rigorous benchmarking in reasonable time", 2013.
[[nodiscard]] std::size_t runsPerLaunch(std::span<const LaunchRecord> pilot, const LaunchLimits& limits);

/// Whether launches are enough for the threshold. It looks at the size of their differences only, not at
/// which side is the slower one: tests by randomization keep their rate.
[[nodiscard]] bool enoughLaunches(std::span<const LaunchRecord> launches, const LaunchLimits& limits);

}  // namespace et::inspector
