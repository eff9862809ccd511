#include "inspector/comparison/statistics.h"

#include <algorithm>
#include <limits>

namespace et::inspector {
namespace {

/// Fewer times than this do not tell.
constexpr std::size_t minTimes = 8;

/// Each time with its neighbours: one that the machine delayed does not count.
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

// White, "An effective truncation heuristic for bias reduction in simulation output", 1997: cut off so many
// at the beginning that the standard error of the rest's mean is least. Where that is as many as may be cut
// off, half of all, the series is still on its way.
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
    // Sums of the differences from the last one, which lose no digits to a common level.
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
