#include "inspector/numeric_gap/lanes.h"
#include "inspector/numeric_gap/metrics.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace et::inspector {
namespace {

/// Histogram of magnitudes by their leading bits: the exponent and the three bits after it.
template <class T>
class Magnitudes {
  public:
    Magnitudes() : counts(tables * buckets) {}

    /// `at` selects one of several tables, so that runs of equal numbers do not wait for each other's
    /// increments.
    void add(T number, std::size_t at) { ++counts[(at % tables) * buckets + bucketOf(number)]; }

    /// The percentile of the magnitudes of `numbers`, which are finite and were added, interpolated linearly
    /// between the closest ranks. Only the largest of them need sorting.
    [[nodiscard]] double percentile(std::span<const T> numbers, double share) const;

  private:
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    static constexpr unsigned keptBits = sizeof(T) == 4 ? 11 : 14;
    static constexpr unsigned restBits = 8 * sizeof(T) - 1 - keptBits;
    static constexpr std::size_t buckets = std::size_t{1} << keptBits;
    static constexpr std::size_t tables = 4;

    static std::size_t bucketOf(T number) {
        return static_cast<std::size_t>(std::bit_cast<Bits>(number) >> restBits) % buckets;
    }

    std::vector<std::uint32_t> counts;
};

template <class T>
double Magnitudes<T>::percentile(std::span<const T> numbers, double share) const {
    const auto in = [&](std::size_t bucket) {
        std::size_t all = 0;
        for (std::size_t table = 0; table < tables; ++table) {
            all += counts[table * buckets + bucket];
        }
        return all;
    };
    double rank = share * static_cast<double>(numbers.size() - 1);
    std::size_t smaller = 0;
    std::size_t first = 0;
    while (static_cast<double>(smaller + in(first)) <= rank) {
        smaller += in(first++);
    }
    rank -= static_cast<double>(smaller);
    std::vector<T> largest;
    largest.reserve(numbers.size() - smaller);
    for (const T number : numbers) {
        if (bucketOf(number) >= first) {
            largest.push_back(std::abs(number));
        }
    }
    const auto below = static_cast<std::ptrdiff_t>(rank);
    const auto at = largest.begin() + below;
    std::ranges::nth_element(largest, at);
    const double lower = *at;
    if (at + 1 == largest.end()) {
        return lower;
    }
    const double next = *std::min_element(at + 1, largest.end());
    return lower + (next - lower) * (rank - static_cast<double>(below));
}

constexpr double percent99 = 0.99;

/// Counts non-finite numbers; the other statistics cover the rest.
template <class T>
SideStatistics ofSomeFinite(std::span<const T> numbers) {
    SideStatistics side{.elements = numbers.size()};
    std::vector<T> finite;
    finite.reserve(numbers.size());
    for (const T number : numbers) {
        if (std::isfinite(number)) {
            finite.push_back(number);
        } else {
            ++(std::isnan(number) ? side.nans : side.infinities);
        }
    }
    if (!finite.empty()) {
        const SideStatistics rest = computeStatistics(std::span<const T>(finite));
        side.zeros = rest.zeros;
        side.minimum = rest.minimum;
        side.maximum = rest.maximum;
        side.mean = rest.mean;
        side.deviation = rest.deviation;
        side.p99 = rest.p99;
    }
    return side;
}

/// Computes zeros, extremes and mean.
template <class T>
void addFirstPass(std::span<const T> numbers, SideStatistics& side) {
    std::array<T, lanes::count> minimum{};
    minimum.fill(std::numeric_limits<T>::infinity());
    std::array<T, lanes::count> maximum{};
    maximum.fill(-std::numeric_limits<T>::infinity());
    std::array<std::uint32_t, lanes::count> zeros{};
    lanes::Doubles sums{};
    lanes::forEach(numbers.size(), [&](std::size_t i, std::size_t lane) {
        const T number = numbers[i];
        zeros[lane] += number == 0 ? 1U : 0U;
        minimum[lane] = number < minimum[lane] ? number : minimum[lane];
        maximum[lane] = number > maximum[lane] ? number : maximum[lane];
        sums[lane] += static_cast<double>(number);
    });
    for (const std::uint32_t each : zeros) {
        side.zeros += each;
    }
    side.minimum = std::ranges::min(minimum);
    side.maximum = std::ranges::max(maximum);
    side.mean = lanes::sum(sums) / static_cast<double>(numbers.size());
}

template <class T>
SideStatistics ofFinite(std::span<const T> numbers) {
    SideStatistics side{.elements = numbers.size()};
    addFirstPass(numbers, side);
    Magnitudes<T> magnitudes;
    lanes::Doubles squares{};
    const std::size_t whole = lanes::wholeBlocks(numbers.size());
    for (std::size_t i = 0; i < whole; i += lanes::count) {
        for (std::size_t lane = 0; lane < lanes::count; ++lane) {
            const double off = static_cast<double>(numbers[i + lane]) - side.mean;
            squares[lane] += off * off;
        }
        for (std::size_t lane = 0; lane < lanes::count; ++lane) {
            magnitudes.add(numbers[i + lane], lane);
        }
    }
    for (std::size_t i = whole; i < numbers.size(); ++i) {
        const double off = static_cast<double>(numbers[i]) - side.mean;
        squares[i - whole] += off * off;
        magnitudes.add(numbers[i], i);
    }
    side.deviation = std::sqrt(lanes::sum(squares) / static_cast<double>(numbers.size()));
    side.p99 = magnitudes.percentile(numbers, percent99);
    return side;
}

template <class T>
SideStatistics ofAll(std::span<const T> numbers) {
    if (numbers.empty()) {
        return {};
    }
    return lanes::areFinite(numbers) ? ofFinite(numbers) : ofSomeFinite(numbers);
}

}  // namespace

SideStatistics computeStatistics(std::span<const double> numbers) {
    return ofAll(numbers);
}

SideStatistics computeStatistics(std::span<const float> numbers) {
    return ofAll(numbers);
}

}  // namespace et::inspector
