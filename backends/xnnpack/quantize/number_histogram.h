#pragma once

#include "backends/xnnpack/quantize/quantization_numbers.h"

#include <array>
#include <cstddef>
#include <span>

namespace et::backends::xnnpack {

/// How many numbers lie in each of 2048 equal bins between the ends of a range that grows. Counts are float32
/// and may be parts of one: what lay in a bin is spread when the range grows. As torchao's HistogramObserver
/// counts (torchao/quantization/pt2e/observer.py).
class NumberHistogram {
  public:
    static constexpr std::size_t bins = 2048;

    /// Another range, which holds the one before. What was counted moves to the bins of the new one.
    void widen(ValueRange to);
    /// Numbers out of the range do not count.
    void count(std::span<const float> numbers);

    [[nodiscard]] ValueRange range() const { return ends; }
    [[nodiscard]] float binWidth() const { return (ends.high - ends.low) / static_cast<float>(bins); }
    /// The range of the bins from `first` to `last`.
    [[nodiscard]] ValueRange binRange(std::size_t first, std::size_t last) const;
    /// The share of all numbers in the bins up to each one, between 0 and the number of them.
    [[nodiscard]] std::array<float, bins> cumulated() const;
    /// The square error of quantizing the range of these bins with 256 steps and clamping to it what is
    /// outside, if numbers lie evenly within a bin.
    [[nodiscard]] float squareError(std::size_t first, std::size_t last) const;
    /// The range without this share of the numbers at either end.
    [[nodiscard]] ValueRange without(double share) const;

  private:
    [[nodiscard]] std::size_t binOf(float number) const;

    ValueRange ends{};
    bool any = false;
    std::array<float, bins> counts{};
};

/// The exporter's range: from both ends, the one where the next 0.001 % of the numbers take more bins is
/// given up, as long as the square error does not grow.
[[nodiscard]] ValueRange walkedRange(const NumberHistogram& histogram);
/// The range with the least square error of those that are shortened in equal steps at both ends.
[[nodiscard]] ValueRange leastErrorRange(const NumberHistogram& histogram);

}  // namespace et::backends::xnnpack
