#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace et::visualizers {

/// Number of samples in each of equally wide bins between the smallest and the largest sample.
struct Histogram {
    double lowest = 0;   ///< left edge of the first bin
    double highest = 0;  ///< right edge of the last bin, inclusive
    std::vector<std::uint32_t> counts;

    [[nodiscard]] std::uint32_t tallest() const;
};

/// Freedman-Diaconis bins (width 2 IQR n^(-1/3)), at least 1 and at most `maxBins`. Non-finite samples are
/// dropped; no samples give no bins; equal samples share one bin.
[[nodiscard]] Histogram histogram(std::span<const double> samples, std::size_t maxBins);

/// Two sample sets in common bins between the minimum and maximum of both, with the bin width that
/// histogram() gives for the side that needs narrower bins.
struct HistogramPair {
    Histogram a;
    Histogram b;
};
[[nodiscard]] HistogramPair histograms(std::span<const double> a, std::span<const double> b,
                                       std::size_t maxBins);

}  // namespace et::visualizers
