#include "visualizers/tables/histogram.h"

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
        return maxBins;  // most samples are equal: the finest bins show the outliers best
    }
    const double width = 2 * quartiles / std::cbrt(static_cast<double>(sorted.size()));
    const double wanted = std::min(std::ceil(range / width), static_cast<double>(maxBins));
    return static_cast<std::size_t>(std::max(wanted, 1.0));
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
    const double range = result.highest - result.lowest;
    for (const double value : sorted) {
        const double place = range > 0 ? (value - result.lowest) / range : 0;
        const auto bin = static_cast<std::size_t>(place * static_cast<double>(result.counts.size()));
        ++result.counts[std::min(bin, result.counts.size() - 1)];
    }
    return result;
}

}  // namespace et::visualizers
