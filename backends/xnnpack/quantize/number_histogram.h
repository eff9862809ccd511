#pragma once

#include "backends/xnnpack/quantize/quantization_numbers.h"

#include <array>
#include <cstddef>
#include <span>

namespace et::backends::xnnpack {

/// Histogram with 2048 equal bins over a range that grows. Counts are float32 and may be fractional, since
/// bins are redistributed when the range grows. Counts like torchao's HistogramObserver
/// (torchao/quantization/pt2e/observer.py).
class NumberHistogram {
  public:
    static constexpr std::size_t bins = 2048;

    /// Widens the range, which must contain the previous one, and redistributes the counts to the new bins.
    void widen(ValueRange to);
    /// Ignores numbers outside the range.
    void count(std::span<const float> numbers);

    [[nodiscard]] ValueRange range() const { return ends; }
    [[nodiscard]] float binWidth() const { return (ends.high - ends.low) / static_cast<float>(bins); }
    /// Range of bins `first` to `last`.
    [[nodiscard]] ValueRange binRange(std::size_t first, std::size_t last) const;
    /// Cumulative fraction of the numbers up to each bin.
    [[nodiscard]] std::array<float, bins> cumulated() const;
    /// Square error of quantizing the range of these bins with 256 steps and clamping numbers outside,
    /// assuming a uniform distribution within each bin.
    [[nodiscard]] float squareError(std::size_t first, std::size_t last) const;
    /// The range without this fraction of the numbers at either end.
    [[nodiscard]] ValueRange without(double share) const;

  private:
    [[nodiscard]] std::size_t binOf(float number) const;

    ValueRange ends{};
    bool any = false;
    std::array<float, bins> counts{};
};

/// The exporter's range: repeatedly shortens the end at which the next 0.001 % of the numbers take more bins,
/// as long as the square error does not grow.
[[nodiscard]] ValueRange walkedRange(const NumberHistogram& histogram);
/// The range with the least square error among those shortened in equal steps at both ends.
[[nodiscard]] ValueRange leastErrorRange(const NumberHistogram& histogram);

}  // namespace et::backends::xnnpack
