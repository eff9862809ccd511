#include "backends/xnnpack/quantize/range_observer.h"

#include "backends/xnnpack/quantize/number_histogram.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

namespace et::backends::xnnpack {
namespace {

/// Minimum and maximum of the finite numbers.
std::optional<ValueRange> extremesOf(std::span<const float> numbers) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    ValueRange range{infinity, -infinity};
    for (const float number : numbers) {
        if (std::isfinite(number)) {
            range.low = std::min(range.low, number);
            range.high = std::max(range.high, number);
        }
    }
    return range.low <= range.high ? std::optional(range) : std::nullopt;
}

ValueRange joined(ValueRange left, ValueRange right) {
    return {std::min(left.low, right.low), std::max(left.high, right.high)};
}

class MinMaxObserver final : public RangeObserver {
  public:
    void observe(std::span<const float> numbers) override {
        if (const auto found = extremesOf(numbers)) {
            extremes = extremes ? joined(*extremes, *found) : *found;
        }
    }
    [[nodiscard]] std::optional<ValueRange> range() const override { return extremes; }
};

class MovingAverageObserver final : public RangeObserver {
  public:
    void observe(std::span<const float> numbers) override {
        constexpr float share = 0.01F;
        const auto found = extremesOf(numbers);
        if (!found) {
            return;
        }
        extremes = extremes ? joined(*extremes, *found) : *found;
        if (average) {
            average->low += share * (found->low - average->low);
            average->high += share * (found->high - average->high);
        } else {
            average = found;
        }
    }
    [[nodiscard]] std::optional<ValueRange> range() const override { return average; }

  private:
    std::optional<ValueRange> average;
};

/// Histogram over the range of all observed numbers; `Choose` selects the final range.
template <ValueRange (*Choose)(const NumberHistogram&)>
class HistogramObserver final : public RangeObserver {
  public:
    void observe(std::span<const float> numbers) override {
        const auto found = extremesOf(numbers);
        if (!found) {
            return;
        }
        const ValueRange next = extremes ? joined(*extremes, *found) : *found;
        histogram.widen(next);
        histogram.count(numbers);
        extremes = next;
        chosen.reset();
    }
    [[nodiscard]] std::optional<ValueRange> range() const override {
        if (extremes && !chosen) {
            chosen = Choose(histogram);
        }
        return chosen;
    }

  private:
    NumberHistogram histogram;
    mutable std::optional<ValueRange> chosen;  ///< cached, since choosing is slow
};

/// Fraction of the numbers that a percentile drops, both ends together.
constexpr double givenUp = 1e-4;

ValueRange percentiles(const NumberHistogram& histogram) {
    return histogram.without(givenUp / 2);
}

std::unique_ptr<RangeObserver> makeExactObserver(ObserverKind kind) {
    switch (kind) {
        case ObserverKind::MinMax:
            return std::make_unique<MinMaxObserver>();
        case ObserverKind::MovingAverage:
            return std::make_unique<MovingAverageObserver>();
        case ObserverKind::Histogram:
            return std::make_unique<HistogramObserver<walkedRange>>();
        case ObserverKind::Percentile:
            return std::make_unique<HistogramObserver<percentiles>>();
        case ObserverKind::SquareError:
            return std::make_unique<HistogramObserver<leastErrorRange>>();
    }
    return nullptr;
}

/// Passes numbers with simulated rounding differences to another observer.
class RoundedOtherwise final : public RangeObserver {
  public:
    RoundedOtherwise(std::unique_ptr<RangeObserver> of, unsigned draw)
        : observer(std::move(of)), random(draw) {}

    void observe(std::span<const float> numbers) override {
        const auto found = extremesOf(numbers);
        if (!found) {
            return;
        }
        constexpr float share = 0x1p-22F;
        const float most = share * std::max(std::abs(found->low), std::abs(found->high));
        moved.assign(numbers.begin(), numbers.end());
        for (float& number : moved) {
            // Zeros are usually exact, from a relu or padding.
            number = number == 0 ? 0 : number + most * nextShare();
        }
        observer->observe(moved);
        extremes = observer->seen();
    }
    [[nodiscard]] std::optional<ValueRange> range() const override { return observer->range(); }

  private:
    /// Random number from -1 to 1.
    float nextShare() {
        constexpr auto half = static_cast<float>(std::minstd_rand::max()) / 2;
        return static_cast<float>(random()) / half - 1;
    }

    std::unique_ptr<RangeObserver> observer;
    std::minstd_rand random;
    std::vector<float> moved;
};

}  // namespace

std::unique_ptr<RangeObserver> makeObserver(ObserverKind kind, unsigned draw) {
    auto observer = makeExactObserver(kind);
    return draw == 0 ? std::move(observer) : std::make_unique<RoundedOtherwise>(std::move(observer), draw);
}

}  // namespace et::backends::xnnpack
