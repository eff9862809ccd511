#pragma once

#include "backends/xnnpack/quantize/quantization_numbers.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace et::backends::xnnpack {

/// How the range of a tensor is chosen from what it held in all runs.
enum class ObserverKind : std::uint8_t {
    MinMax,         ///< all that it held
    MovingAverage,  ///< averages of each run's ends, of which a new run counts for 0.01
    Histogram,      ///< the exporter's: ends are given up as long as the square error falls
    Percentile,     ///< 99.99 % of the numbers
    SquareError     ///< the least square error over ranges that are shortened at both ends
};

/// Sees a tensor in each run and says in the end which range to quantize. Infinities and NaN do not count.
class RangeObserver {
  public:
    virtual ~RangeObserver() = default;
    virtual void observe(std::span<const float> numbers) = 0;
    /// Nothing: it saw no number.
    [[nodiscard]] virtual std::optional<ValueRange> range() const = 0;
    /// The smallest and the largest number that it saw.
    [[nodiscard]] std::optional<ValueRange> seen() const { return extremes; }

  protected:
    std::optional<ValueRange> extremes;
};

/// `draw` other than 0 shows it the numbers as another order of sums could have rounded them: moved at random
/// by up to 2^-22 of the largest of a run, the same for the same draw. (The exporter's activations differ
/// from ours by 0 to 6 units in the last place.) What changes much is decided by rounding.
[[nodiscard]] std::unique_ptr<RangeObserver> makeObserver(ObserverKind kind, unsigned draw = 0);

}  // namespace et::backends::xnnpack
