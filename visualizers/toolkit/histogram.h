#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace et::visualizers {

/// How many samples fall into each of equally wide bins between the smallest and the largest sample.
struct Histogram {
    double lowest = 0;   ///< left edge of the first bin
    double highest = 0;  ///< right edge of the last bin, inclusive
    std::vector<std::uint32_t> counts;

    [[nodiscard]] std::uint32_t tallest() const;
};

/// Bins after Freedman and Diaconis (width 2 IQR n^(-1/3)), at least 1 and at most `maxBins`. Samples that
/// are not finite are left out; no samples give no bins; equal samples share one bin.
[[nodiscard]] Histogram histogram(std::span<const double> samples, std::size_t maxBins);

/// Two sets of samples in the same bins, between the smallest and the largest of both: as wide as histogram()
/// has them for the side that needs the narrower ones.
struct HistogramPair {
    Histogram a;
    Histogram b;
};
[[nodiscard]] HistogramPair histograms(std::span<const double> a, std::span<const double> b,
                                       std::size_t maxBins);

}  // namespace et::visualizers
