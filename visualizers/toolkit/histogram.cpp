#include "visualizers/toolkit/histogram.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace et::visualizers {

namespace {

std::size_t binCount(std::span<const double> sorted, std::size_t maxBins) {
    const double range = sorted.back() - sorted.front();
    const double quartiles = sorted[sorted.size() * 3 / 4] - sorted[sorted.size() / 4];
    if (!(range > 0) || !std::isfinite(range)) {
        return 1;
    }
    if (!(quartiles > 0)) {
        return maxBins;  // most samples are equal: the narrowest bins show the outliers best
    }
    const double width = 2 * quartiles / std::cbrt(static_cast<double>(sorted.size()));
    const double wanted = std::min(std::ceil(range / width), static_cast<double>(maxBins));
    return static_cast<std::size_t>(std::max(wanted, 1.0));
}

/// Counts the finite samples into the bins; all are within the bin edges.
void fill(Histogram& bins, std::span<const double> samples) {
    const double range = bins.highest - bins.lowest;
    for (const double value : samples) {
        if (std::isfinite(value)) {
            const double place = range > 0 ? (value - bins.lowest) / range : 0;
            const auto bin = static_cast<std::size_t>(place * static_cast<double>(bins.counts.size()));
            ++bins.counts[std::min(bin, bins.counts.size() - 1)];
        }
    }
}

}  // namespace

std::uint32_t Histogram::tallest() const {
    return counts.empty() ? 0 : std::ranges::max(counts);
}

Histogram histogram(std::span<const double> samples, std::size_t maxBins) {
    std::vector<double> sorted;
    std::ranges::copy_if(samples, std::back_inserter(sorted),
                         [](double value) { return std::isfinite(value); });
    if (sorted.empty() || maxBins == 0) {
        return {};
    }
    std::ranges::sort(sorted);
    Histogram result{.lowest = sorted.front(), .highest = sorted.back(), .counts = {}};
    result.counts.resize(binCount(sorted, maxBins));
    fill(result, sorted);
    return result;
}

HistogramPair histograms(std::span<const double> a, std::span<const double> b, std::size_t maxBins) {
    std::vector<double> all(a.begin(), a.end());
    all.insert(all.end(), b.begin(), b.end());
    Histogram empty = histogram(all, maxBins);
    if (empty.counts.empty()) {
        return {};
    }
    // Uses the bin width of the side with the narrower distribution.
    const double range = empty.highest - empty.lowest;
    std::size_t count = empty.counts.size();
    for (const Histogram& side : {histogram(a, maxBins), histogram(b, maxBins)}) {
        const double width = (side.highest - side.lowest) / static_cast<double>(side.counts.size());
        if (width > 0 && std::isfinite(range)) {
            const double wanted = std::min(std::ceil(range / width), static_cast<double>(maxBins));
            count = std::max(count, static_cast<std::size_t>(wanted));
        }
    }
    empty.counts.assign(count, 0);
    HistogramPair pair{.a = empty, .b = empty};
    fill(pair.a, a);
    fill(pair.b, b);
    return pair;
}

}  // namespace et::visualizers
