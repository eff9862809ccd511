#include "inspector/join/event_blocks.h"
#include "inspector/join/percentile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace et::inspector {

namespace {

constexpr double minOutlierRatio = 1.5;  ///< an outlier is at least this multiple of the median

/// Interpolates between the closest ranks of `sorted`, rounding like numpy's lerp, which starts from the
/// nearer end.
double percentile(std::span<const double> sorted, double fraction) {
    const double rank = fraction * static_cast<double>(sorted.size() - 1);
    const double below = std::floor(rank);
    const auto lower = static_cast<std::size_t>(below);
    const std::size_t upper = std::min(lower + 1, sorted.size() - 1);
    const double weight = rank - below;
    const double step = sorted[upper] - sorted[lower];
    return weight >= 0.5 ? sorted[upper] - step * (1 - weight) : sorted[lower] + step * weight;
}

/// Sums one block of numpy's pairwise sum: eight running sums, to add in the same order as numpy.
double blockSum(std::span<const double> values) {
    constexpr std::size_t lanes = 8;
    std::array<double, lanes> sum{};
    std::copy_n(values.begin(), lanes, sum.begin());
    const std::size_t whole = values.size() - values.size() % lanes;
    for (std::size_t i = lanes; i < whole; i += lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            sum[lane] += values[i + lane];
        }
    }
    double total = ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
    for (const double value : values.subspan(whole)) {
        total += value;
    }
    return total;
}

double pairwiseSum(std::span<const double> values) {
    constexpr std::size_t smallest = 8;
    constexpr std::size_t block = 128;
    if (values.size() < smallest) {
        double total = 0;
        for (const double value : values) {
            total += value;
        }
        return total;
    }
    if (values.size() <= block) {
        return blockSum(values);
    }
    std::size_t half = values.size() / 2;
    half -= half % smallest;
    return pairwiseSum(values.first(half)) + pairwiseSum(values.subspan(half));
}

}  // namespace

Statistics summarize(std::span<const double> samples) {
    if (samples.size() == 1) {  // always the case in a trace of one run
        const double only = samples.front();
        return {.p10 = only, .p50 = only, .p90 = only, .average = only, .minimum = only, .maximum = only};
    }
    std::vector<double> sorted(samples.begin(), samples.end());
    std::ranges::sort(sorted);
    return {.p10 = percentile(sorted, 0.1),
            .p50 = percentile(sorted, 0.5),
            .p90 = percentile(sorted, 0.9),
            .average = pairwiseSum(samples) / static_cast<double>(samples.size()),
            .minimum = percentile(sorted, 0),
            .maximum = percentile(sorted, 1)};
}

double computePercentile(std::span<const double> samples, double fraction) {
    std::vector<double> sorted(samples.begin(), samples.end());
    std::ranges::sort(sorted);
    return percentile(sorted, fraction);
}

double outlierFence(std::span<const double> samples) {
    constexpr std::size_t minSamples = 5;
    constexpr double farOut = 3;
    if (samples.size() < minSamples) {
        return std::numeric_limits<double>::infinity();
    }
    std::vector<double> sorted(samples.begin(), samples.end());
    std::ranges::sort(sorted);
    const double lower = percentile(sorted, 0.25);
    const double upper = percentile(sorted, 0.75);
    const double median = percentile(sorted, 0.5);
    const double minimum = median > 0 ? minOutlierRatio * median : percentile(sorted, 0.9);
    return std::max(upper + farOut * (upper - lower), minimum);
}

double smallestTick(std::span<const double> samples) {
    double tick = std::numeric_limits<double>::infinity();
    for (const double sample : samples) {
        tick = sample > 0 ? std::min(tick, sample) : tick;
    }
    return tick;
}

double typicalTotal(std::span<const double> samples, const Statistics& of, double tick) {
    if (of.p50 > 0) {
        // No sample below this is an outlier; sorting the samples again is slow.
        const bool mayHaveOutliers = of.maximum > minOutlierRatio * of.p50;
        const double fence = mayHaveOutliers ? outlierFence(samples) : of.maximum;
        return std::accumulate(samples.begin(), samples.end(), 0.0, [&](double sum, double sample) {
            return sum + (sample > fence ? of.p50 : sample);
        });
    }
    const double limit = std::max(of.p90, std::min(tick, smallestTick(samples)));
    return std::accumulate(samples.begin(), samples.end(), 0.0,
                           [limit](double sum, double sample) { return sum + std::min(sample, limit); });
}

std::size_t outlierCount(std::span<const double> samples) {
    const double fence = outlierFence(samples);
    return static_cast<std::size_t>(
        std::ranges::count_if(samples, [fence](double sample) { return sample > fence; }));
}

}  // namespace et::inspector
