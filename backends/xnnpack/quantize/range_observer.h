#pragma once

#include "backends/xnnpack/quantize/quantization_numbers.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace et::backends::xnnpack {

/// How the range of a tensor is chosen from its values in all runs.
enum class ObserverKind : std::uint8_t {
    MinMax,         ///< the full range
    MovingAverage,  ///< moving average of each run's minimum and maximum, with weight 0.01 for a new run
    Histogram,      ///< the exporter's: shortens the ends as long as the square error falls
    Percentile,     ///< covers 99.99 % of the numbers
    SquareError     ///< least square error over ranges shortened at both ends
};

/// The kinds of numbers of a tensor over all runs.
struct ValueNumbers {
    std::optional<ValueRange> finite{};  ///< minimum and maximum of the finite numbers
    bool minusInfinity = false;
    bool plusInfinity = false;
    bool notANumber = false;

    void note(std::span<const float> numbers);
};

/// Observes a tensor in each run and determines the range to quantize. Ignores infinities and NaN.
class RangeObserver {
  public:
    virtual ~RangeObserver() = default;
    virtual void observe(std::span<const float> numbers) = 0;
    /// Nothing if it observed no numbers.
    [[nodiscard]] virtual std::optional<ValueRange> range() const = 0;
    /// Minimum and maximum of the observed numbers.
    [[nodiscard]] std::optional<ValueRange> seen() const { return extremes; }

  protected:
    std::optional<ValueRange> extremes;
};

/// A nonzero `draw` simulates the rounding of a different summation order: numbers are moved randomly by up
/// to 2^-22 of the largest number of a run, deterministically for each draw. (The exporter's activations
/// differ from ours by 0 to 6 units in the last place.) A range that changes much is determined by rounding.
[[nodiscard]] std::unique_ptr<RangeObserver> makeObserver(ObserverKind kind, unsigned draw = 0);

}  // namespace et::backends::xnnpack
