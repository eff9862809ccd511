#include "inspector/comparison/statistics.h"

#include <algorithm>
#include <limits>

namespace et::inspector {
namespace {

/// Minimum number of times for a result.
constexpr std::size_t minTimes = 8;

/// Median of each time and its neighbours, which removes single delayed runs.
std::vector<double> runningMedians(std::span<const double> times) {
    std::vector<double> smooth(times.begin(), times.end());
    for (std::size_t i = 1; i + 1 < times.size(); ++i) {
        smooth[i] = median(times.subspan(i - 1, 3));
    }
    smooth.front() = smooth[1];
    smooth.back() = smooth[smooth.size() - 2];
    return smooth;
}

}  // namespace

// White, "An effective truncation heuristic for bias reduction in simulation output", 1997: removes as many
// initial values as minimize the standard error of the mean of the rest. If that is the maximum allowed, half
// of all, the series is not steady yet.
std::optional<std::size_t> steadyFrom(std::span<const double> times) {
    if (times.size() < minTimes) {
        return std::nullopt;
    }
    const std::vector<double> smooth = runningMedians(times);
    const std::size_t max = times.size() / 2;
    std::size_t best = max;
    double min = std::numeric_limits<double>::infinity();
    double sum = 0;
    double squares = 0;
    // Sums of differences from the last value, so that a common level costs no precision.
    for (std::size_t cut = smooth.size(); cut-- > 0;) {
        const double value = smooth[cut] - smooth.back();
        sum += value;
        squares += value * value;
        const auto left = static_cast<double>(smooth.size() - cut);
        const double error = (squares - sum * sum / left) / (left * left);
        if (cut <= max && error <= min) {
            min = error;
            best = cut;
        }
    }
    if (best == max || drifts(times.subspan(best))) {
        return std::nullopt;
    }
    return best;
}

}  // namespace et::inspector
