#include "inspector/comparison/launch_plan.h"

#include "inspector/comparison/statistics.h"
#include "inspector/comparison/statistics_launches.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace et::inspector {
namespace {

constexpr double deviationsOfMedian = 1.4826;  ///< median absolute value times this is a standard deviation
/// Minimum assumed spread between launches, even if a few of them agree more closely.
constexpr double leastSpread = 0.002;

double effectOf(const LaunchRecord& launch) {
    const double a = fasterHalf(launch.a);
    const double b = fasterHalf(launch.b);
    return a > 0 && b > 0 ? std::log(b / a) : 0;
}

/// Robust standard deviation of the differences between adjacent runs.
double spreadOfRuns(const LaunchRecord& launch) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < std::min(launch.a.size(), launch.b.size()); ++i) {
        ratios.push_back(launch.a[i] > 0 && launch.b[i] > 0 ? std::log(launch.b[i] / launch.a[i]) : 0);
    }
    const double middle = median(ratios);
    for (double& each : ratios) {
        each = std::abs(each - middle);
    }
    return deviationsOfMedian * median(ratios);
}

}  // namespace

std::size_t runsPerLaunch(std::span<const LaunchRecord> pilot, const LaunchLimits& limits) {
    constexpr double fewest = 3;
    constexpr double most = 100;
    constexpr double shareOfTime = 0.5;  // the rest is for more launches
    double start = 0;
    double run = 0;
    double runs = 0;
    double within = 0;
    double squares = 0;
    for (const LaunchRecord& each : pilot) {
        start += each.startSeconds;
        run += each.runSeconds;
        runs += static_cast<double>(each.a.size());
        within += std::pow(spreadOfRuns(each), 2);
        squares += std::pow(effectOf(each), 2);
    }
    if (pilot.empty() || runs == 0) {
        return static_cast<std::size_t>(fewest);
    }
    const auto launches = static_cast<double>(pilot.size());
    const double between =
        std::max(leastSpread * leastSpread, squares / launches - within / launches / (runs / launches));
    const double costOfStart = start / launches;
    const double costOfRun = std::max(run / runs, std::numeric_limits<double>::min());
    const double best = std::sqrt(costOfStart / costOfRun * within / launches / between);
    const double affordable =
        (shareOfTime * limits.seconds / static_cast<double>(limits.minLaunches) - costOfStart) / costOfRun;
    const double chosen = std::min(std::clamp(best, fewest, most), affordable);
    return static_cast<std::size_t>(std::max(1.0, chosen));
}

bool enoughLaunches(std::span<const LaunchRecord> launches, const LaunchLimits& limits) {
    constexpr double leastThreshold = 0.01;
    constexpr double errorsInThreshold = 8;
    if (launches.size() < limits.minLaunches) {
        return false;
    }
    std::vector<double> sizes;
    for (const LaunchRecord& each : launches) {
        sizes.push_back(std::abs(effectOf(each)));
    }
    // Either the differences are centered on 0, and their absolute values give the spread; or they are
    // centered on a change, and their absolute values spread around its size.
    const double middle = median(sizes);
    const double around0 = deviationsOfMedian * middle;
    for (double& each : sizes) {
        each = std::abs(each - middle);
    }
    constexpr double foldedBack = 1.67;  // reduction of a normal distribution's spread by taking absolute
                                         // values
    const double aroundChange = foldedBack * deviationsOfMedian * median(sizes);
    const double error = std::min(around0, aroundChange) / std::sqrt(static_cast<double>(launches.size()));
    return error * errorsInThreshold <= std::max(limits.threshold, leastThreshold);
}

}  // namespace et::inspector
