#include "inspector/numeric_gap/metrics.h"

#include "bundled_program/element_errors.h"
#include "bundled_program/tolerance.h"
#include "runtime/core/element_types.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace et::inspector {
namespace {

/// The sums that MSE, L1 and SNR are made of.
struct Powers {
    double absolute = 0;
    double noise = 0;
    double signal = 0;
};

/// What torch.nan_to_num() makes of a number.
double withoutNan(double number) {
    if (std::isnan(number)) {
        return 0;
    }
    constexpr double max = std::numeric_limits<double>::max();
    return std::clamp(number, -max, max);
}

bool hasNan(std::span<const double> numbers) {
    return std::ranges::any_of(numbers, [](double number) { return std::isnan(number); });
}

Powers powersOf(std::span<const double> reference, std::span<const double> runtime) {
    const bool cleanReference = hasNan(reference);
    const bool cleanRuntime = hasNan(runtime);
    Powers sums;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        const double expected = cleanReference ? withoutNan(reference[i]) : reference[i];
        const double given = cleanRuntime ? withoutNan(runtime[i]) : runtime[i];
        const double error = expected - given;
        sums.absolute += std::abs(error);
        sums.noise += error * error;
        sums.signal += expected * expected;
    }
    return sums;
}

template <class T>
std::optional<double> maxUlp(std::span<const double> reference, std::span<const double> runtime) {
    std::optional<std::uint64_t> max;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        if (std::isfinite(reference[i]) && std::isfinite(runtime[i])) {
            const std::uint64_t distance = bundled_program::detail::ulpDistance(static_cast<T>(reference[i]),
                                                                                static_cast<T>(runtime[i]));
            max = std::max(max.value_or(0), distance);
        }
    }
    return max ? std::optional(static_cast<double>(*max)) : std::nullopt;
}

std::optional<double> ulpOf(std::span<const double> reference, std::span<const double> runtime,
                            FloatFormat format) {
    switch (format) {
        case FloatFormat::Half:
            return maxUlp<core::Half>(reference, runtime);
        case FloatFormat::BFloat16:
            return maxUlp<core::BFloat16>(reference, runtime);
        case FloatFormat::Float:
            return maxUlp<float>(reference, runtime);
        case FloatFormat::Double:
            return maxUlp<double>(reference, runtime);
        case FloatFormat::None:
            break;
    }
    return std::nullopt;
}

bundled_program::Metrics finiteMetrics(std::span<const double> reference, std::span<const double> runtime) {
    bundled_program::detail::ElementErrors errors(bundled_program::Tolerance{0, 0});
    for (std::size_t i = 0; i < reference.size(); ++i) {
        errors.add(runtime[i], reference[i], i);
    }
    return errors.metrics(true);
}

double finiteRange(std::span<const double> numbers) {
    double min = std::numeric_limits<double>::infinity();
    double max = -min;
    for (const double number : numbers) {
        if (std::isfinite(number)) {
            min = std::min(min, number);
            max = std::max(max, number);
        }
    }
    return max - min;
}

/// In decibels; NaN, which is no number, where both are 0.
std::optional<double> decibels(double signal, double noise) {
    const double ratio = 10 * std::log10(signal / noise);
    return std::isnan(ratio) ? std::nullopt : std::optional(ratio);
}

/// The place of a magnitude among all by its first bits, which tell the exponent and a little more.
std::size_t bucketOf(double number) {
    constexpr unsigned restBits = 49;
    return std::bit_cast<std::uint64_t>(std::abs(number)) >> restBits;
}
constexpr std::size_t bucketCount = std::size_t{1} << 14U;

/// The 99th percentile of the magnitudes of finite numbers, interpolated linearly between the closest ranks.
/// `counts`: how many of them are in each bucket, so that only the largest have to be put in order.
template <class T>
double percentile99(std::span<const T> numbers, std::span<const std::uint32_t> counts, std::size_t finite) {
    double rank = 0.99 * static_cast<double>(finite - 1);
    std::size_t smaller = 0;
    std::size_t first = 0;
    while (static_cast<double>(smaller + counts[first]) <= rank) {
        smaller += counts[first++];
    }
    rank -= static_cast<double>(smaller);
    std::vector<double> magnitudes;
    magnitudes.reserve(finite - smaller);
    for (const double number : numbers) {
        if (bucketOf(number) >= first && std::isfinite(number)) {
            magnitudes.push_back(std::abs(number));
        }
    }
    const auto below = static_cast<std::ptrdiff_t>(rank);
    const auto at = magnitudes.begin() + below;
    std::ranges::nth_element(magnitudes, at);
    if (at + 1 == magnitudes.end()) {
        return *at;
    }
    const double next = *std::min_element(at + 1, magnitudes.end());
    return *at + (next - *at) * (rank - static_cast<double>(below));
}

/// All that is measured of two tensors without NaN and infinities, in one pass.
struct FiniteSums {
    double absolute = 0;
    double noise = 0;
    double signal = 0;
    double given = 0;
    double product = 0;
    double largest = 0;
    double largestRelative = 0;
    double minimum = std::numeric_limits<double>::infinity();
    double maximum = -std::numeric_limits<double>::infinity();
    bool isRelative = false;  ///< there is an expected number other than 0

    void add(double expected, double actual) {
        const double error = std::abs(expected - actual);
        absolute += error;
        noise += error * error;
        signal += expected * expected;
        given += actual * actual;
        product += actual * expected;
        largest = error > largest ? error : largest;
        minimum = expected < minimum ? expected : minimum;
        maximum = expected > maximum ? expected : maximum;
        if (expected != 0) {
            isRelative = true;
            // Most errors are of the size of others: the quotient is taken of those that may be the largest.
            if (error > largestRelative * std::abs(expected)) {
                largestRelative = error / std::abs(expected);
            }
        }
    }
};

template <class T>
bool areFinite(std::span<const T> numbers) {
    T zero = 0;
    for (const T number : numbers) {
        zero += number * 0;
    }
    return zero == 0;
}

template <class T>
GapNumbers measureFinite(std::span<const T> reference, std::span<const T> runtime) {
    FiniteSums sums;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        sums.add(reference[i], runtime[i]);
    }
    const auto count = static_cast<double>(reference.size());
    GapNumbers numbers;
    numbers[GapMetric::Mse] = sums.noise / count;
    numbers[GapMetric::L1] = sums.absolute;
    numbers[GapMetric::Snr] = decibels(sums.signal, sums.noise);
    if (sums.signal > 0 && sums.given > 0) {
        numbers[GapMetric::Cosine] = sums.product / (std::sqrt(sums.signal) * std::sqrt(sums.given));
    }
    numbers[GapMetric::MaxAbsolute] = sums.largest;
    if (sums.isRelative) {
        numbers[GapMetric::MaxRelative] = sums.largestRelative;
    }
    const double range = sums.maximum - sums.minimum;
    numbers[GapMetric::Psnr] = decibels(range * range, sums.noise / count);
    return numbers;
}

/// Where NaN counts as 0 in some metrics, and pairs with a NaN or an infinity are left out of others.
GapNumbers measureSpecial(std::span<const double> reference, std::span<const double> runtime) {
    const auto count = static_cast<double>(reference.size());
    const Powers sums = powersOf(reference, runtime);
    GapNumbers numbers;
    numbers[GapMetric::Mse] = sums.noise / count;
    numbers[GapMetric::L1] = sums.absolute;
    numbers[GapMetric::Snr] = decibels(sums.signal, sums.noise);
    const bundled_program::Metrics finite = finiteMetrics(reference, runtime);
    numbers[GapMetric::Cosine] = finite.cosineSimilarity;
    numbers[GapMetric::MaxAbsolute] = finite.maxAbsoluteError;
    numbers[GapMetric::MaxRelative] = finite.maxRelativeError;
    if (finite.meanSquaredError) {
        const double range = finiteRange(reference);
        numbers[GapMetric::Psnr] = decibels(range * range, *finite.meanSquaredError);
    }
    return numbers;
}

}  // namespace

GapNumbers measureGap(std::span<const double> reference, std::span<const double> runtime,
                      FloatFormat format) {
    if (reference.empty()) {
        return {};
    }
    GapNumbers numbers = areFinite(reference) && areFinite(runtime) ? measureFinite(reference, runtime)
                                                                    : measureSpecial(reference, runtime);
    numbers[GapMetric::Ulp] = ulpOf(reference, runtime, format);
    return numbers;
}

GapNumbers measureGap(std::span<const float> reference, std::span<const float> runtime) {
    if (reference.empty()) {
        return {};
    }
    if (!areFinite(reference) || !areFinite(runtime)) {
        return measureGap(std::vector<double>(reference.begin(), reference.end()),
                          std::vector<double>(runtime.begin(), runtime.end()), FloatFormat::Float);
    }
    GapNumbers numbers = measureFinite(reference, runtime);
    std::uint64_t ulp = 0;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        ulp = std::max(ulp, bundled_program::detail::ulpDistance(reference[i], runtime[i]));
    }
    numbers[GapMetric::Ulp] = static_cast<double>(ulp);
    return numbers;
}

namespace {

template <class T>
SideStatistics statisticsOfNumbers(std::span<const T> numbers) {
    SideStatistics side{.elements = numbers.size()};
    std::size_t finite = 0;
    double sum = 0;
    double minimum = std::numeric_limits<double>::infinity();
    double maximum = -minimum;
    for (const double number : numbers) {
        if (!std::isfinite(number)) {
            ++(std::isnan(number) ? side.nans : side.infinities);
            continue;
        }
        ++finite;
        side.zeros += number == 0 ? 1U : 0U;
        minimum = number < minimum ? number : minimum;
        maximum = number > maximum ? number : maximum;
        sum += number;
    }
    if (finite == 0) {
        return side;
    }
    side.minimum = minimum;
    side.maximum = maximum;
    side.mean = sum / static_cast<double>(finite);
    double squares = 0;
    std::vector<std::uint32_t> counts(bucketCount);
    for (const double number : numbers) {
        if (std::isfinite(number)) {
            squares += (number - side.mean) * (number - side.mean);
            ++counts[bucketOf(number)];
        }
    }
    side.deviation = std::sqrt(squares / static_cast<double>(finite));
    side.p99 = percentile99(numbers, counts, finite);
    return side;
}

}  // namespace

SideStatistics statisticsOf(std::span<const double> numbers) {
    return statisticsOfNumbers(numbers);
}

SideStatistics statisticsOf(std::span<const float> numbers) {
    return statisticsOfNumbers(numbers);
}

}  // namespace et::inspector
