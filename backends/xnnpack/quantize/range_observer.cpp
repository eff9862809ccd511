#include "backends/xnnpack/quantize/range_observer.h"

#include "backends/xnnpack/quantize/quantization_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace et::backends::xnnpack {
namespace {

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

constexpr std::size_t partsOfBin = 16;  ///< parts into which a bin is divided when the range grows
constexpr std::size_t steps = 256;      ///< number of eight-bit values

/// Boundary `index` of `count` equal parts, computed from the nearer end like torch.linspace().
float pointOf(ValueRange range, std::size_t index, std::size_t count) {
    const float step = (range.high - range.low) / static_cast<float>(count);
    return index < (count + 1) / 2 ? range.low + step * static_cast<float>(index)
                                   : range.high - step * static_cast<float>(count - index);
}

/// Integral of x^2 from begin to end.
float squares(float begin, float end) {
    return (end * end * end - begin * begin * begin) / 3;
}

/// The step that contains a position, corrected for the rounding of the quotient. Positions outside are
/// assigned to the nearest step.
float stepOf(float place, float width) {
    constexpr float last = steps - 1;
    const auto whole = static_cast<float>(static_cast<int>(std::clamp(place / width, 0.0F, last)));
    const double rest = static_cast<double>(place) - static_cast<double>(whole) * static_cast<double>(width);
    const float below = rest < 0 && whole > 0 ? 1.0F : 0.0F;
    const float above = rest >= static_cast<double>(width) && whole < last ? 1.0F : 0.0F;
    return whole - below + above;
}

float sumOf(std::span<const float> numbers) {
    return static_cast<float>(std::accumulate(numbers.begin(), numbers.end(), 0.0));
}

void NumberHistogram::widen(ValueRange to) {
    if (!any || to == ends) {
        ends = to;
        any = true;
        return;
    }
    const ValueRange from = ends;
    const std::array<float, bins> old = counts;
    ends = to;
    counts.fill(0);
    if (from.low == from.high) {
        counts[binOf(from.low)] = sumOf(old);
        return;
    }
    constexpr std::size_t parts = bins * partsOfBin;
    const float half = 0.5F * ((from.high - from.low) / static_cast<float>(parts));
    std::vector<float> bounds(bins + 1);
    for (std::size_t i = 0; i <= bins; ++i) {
        bounds[i] = pointOf(to, i, bins);
    }
    std::array<double, bins> moved{};
    for (std::size_t i = 0; i < parts; ++i) {
        const float middle = pointOf(from, i, parts) + half;
        const auto above = std::ranges::upper_bound(bounds, middle) - bounds.begin();
        const auto bin = std::clamp<std::ptrdiff_t>(above - 1, 0, std::ptrdiff_t{bins} - 1);
        moved[static_cast<std::size_t>(bin)] +=
            static_cast<double>(old[i / partsOfBin] / static_cast<float>(partsOfBin));
    }
    std::ranges::transform(moved, counts.begin(), [](double number) { return static_cast<float>(number); });
}

std::size_t NumberHistogram::binOf(float number) const {
    if (ends.low == ends.high) {
        return bins / 2;  // torch.histc() widens an empty range by 1 on both sides
    }
    const float place = (number - ends.low) * static_cast<float>(bins) / (ends.high - ends.low);
    return std::min(static_cast<std::size_t>(place), bins - 1);
}

void NumberHistogram::count(std::span<const float> numbers) {
    std::array<float, bins> found{};
    for (const float number : numbers) {
        if (number >= ends.low && number <= ends.high) {
            found[binOf(number)] += 1;
        }
    }
    std::ranges::transform(counts, found, counts.begin(), std::plus());
}

ValueRange NumberHistogram::binRange(std::size_t first, std::size_t last) const {
    const float width = binWidth();
    return {ends.low + width * static_cast<float>(first), ends.low + width * static_cast<float>(last + 1)};
}

std::array<float, NumberHistogram::bins> NumberHistogram::cumulated() const {
    std::array<float, bins> sums{};
    double sum = 0;
    for (std::size_t i = 0; i < bins; ++i) {
        sum += static_cast<double>(counts[i]);
        sums[i] = static_cast<float>(sum);
    }
    return sums;
}

float NumberHistogram::squareError(std::size_t first, std::size_t last) const {
    // The reference takes the ends from tensors as doubles; elements are float32.
    const double wide =
        (static_cast<double>(ends.high) - static_cast<double>(ends.low)) / static_cast<double>(bins);
    const double step = wide * static_cast<double>(last - first + 1) / static_cast<double>(steps);
    if (step == 0) {
        return 0;
    }
    const auto width = static_cast<float>(wide);
    const auto stepWidth = static_cast<float>(step);
    const auto half = static_cast<float>(step / 2);
    const float whole = squares(-half, half);
    std::array<float, bins> errors{};
    for (std::size_t i = 0; i < bins; ++i) {
        const float begin = (static_cast<float>(i) - static_cast<float>(first)) * width;
        const float end = begin + width;
        const float beginStep = stepOf(begin, stepWidth);
        const float endStep = stepOf(end, stepWidth);
        const float density = counts[i] / width;
        float error = density * squares(begin - (beginStep + 0.5F) * stepWidth, half);
        error += (endStep - beginStep - 1) * (density * whole);
        error += density * squares(-half, end - (endStep * stepWidth + half));
        errors[i] = error;
    }
    return sumOf(errors);
}

ValueRange NumberHistogram::without(double share) const {
    const std::array<float, bins> sums = cumulated();
    const double total = static_cast<double>(sums.back());
    const auto first =
        std::ranges::find_if(sums, [&](float sum) { return static_cast<double>(sum) > share * total; });
    const auto last = std::ranges::find_if(
        sums, [&](float sum) { return static_cast<double>(sum) >= (1 - share) * total; });
    const auto indexOf = [&](auto place) {
        return std::min(static_cast<std::size_t>(place - sums.begin()), bins - 1);
    };
    return binRange(indexOf(first), indexOf(last));
}

/// The exporter's range: repeatedly shortens the end at which the next 0.001 % of the numbers take more bins,
/// as long as the square error does not grow.
ValueRange walkedRange(const NumberHistogram& histogram) {
    constexpr double stride = 1e-5;
    constexpr std::size_t lastBin = NumberHistogram::bins - 1;
    const std::array<float, NumberHistogram::bins> sums = histogram.cumulated();
    const auto total = static_cast<double>(sums.back());
    double below = 0;
    double above = 1;
    std::size_t first = 0;
    std::size_t last = lastBin;
    float least = std::numeric_limits<float>::infinity();
    while (below < above) {
        std::size_t left = first;
        std::size_t right = last;
        while (left < last && sums[left] < static_cast<float>((below + stride) * total)) {
            ++left;
        }
        while (right > first && sums[right] > static_cast<float>((above - stride) * total)) {
            --right;
        }
        std::size_t nextFirst = first;
        std::size_t nextLast = last;
        if (left - first > last - right) {
            nextFirst = left;
            below += stride;
        } else {
            nextLast = right;
            above -= stride;
        }
        if (nextFirst == first && nextLast == last) {
            continue;
        }
        const float error = histogram.squareError(nextFirst, nextLast);
        if (error > least) {
            break;
        }
        least = error;
        first = nextFirst;
        last = nextLast;
    }
    return histogram.binRange(first, last);
}

ValueRange leastErrorRange(const NumberHistogram& histogram) {
    constexpr std::size_t stride = 64;
    constexpr std::size_t bins = NumberHistogram::bins;
    ValueRange best = histogram.range();
    float least = histogram.squareError(0, bins - 1);
    for (std::size_t first = 0; first < bins / 2; first += stride) {
        for (std::size_t last = bins - 1; last > bins / 2; last -= stride) {
            if (const float error = histogram.squareError(first, last); error < least) {
                least = error;
                best = histogram.binRange(first, last);
            }
        }
    }
    return best;
}

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
        constexpr float reach = 0x1p-22F;
        const float most = reach * std::max(std::abs(found->low), std::abs(found->high));
        moved.assign(numbers.begin(), numbers.end());
        for (float& number : moved) {
            // Zeros are usually exact, from a relu or padding.
            const float share = number == 0 ? 0 : nextShare();
            if (std::isfinite(number)) {
                // Keeps the width of the range finite, which moved small numbers extend.
                constexpr float largest = std::numeric_limits<float>::max() * (1 - 0x1p-20F);
                number = std::clamp(number + most * share, -largest, largest);
            }
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

void ValueNumbers::note(std::span<const float> numbers) {
    if (const auto found = extremesOf(numbers)) {
        finite = finite ? joined(*finite, *found) : *found;
    }
    for (const float number : numbers) {
        minusInfinity = minusInfinity || (std::isinf(number) && number < 0);
        plusInfinity = plusInfinity || (std::isinf(number) && number > 0);
        notANumber = notANumber || std::isnan(number);
    }
}

std::unique_ptr<RangeObserver> makeObserver(ObserverKind kind, unsigned draw) {
    auto observer = makeExactObserver(kind);
    return draw == 0 ? std::move(observer) : std::make_unique<RoundedOtherwise>(std::move(observer), draw);
}

}  // namespace et::backends::xnnpack
