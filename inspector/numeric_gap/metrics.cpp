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

/// The order of doubles without a sign by their first bits, which tell the exponent and a little more.
std::size_t bucketOf(double magnitude) {
    constexpr unsigned restBits = 47;
    return std::bit_cast<std::uint64_t>(magnitude) >> restBits;
}

/// Of many numbers those that stand from `rank` on, as far as their first bits tell: what is smaller is left out,
/// and `rank` counts from what is left.
void dropSmaller(std::vector<double>& magnitudes, double& rank) {
    constexpr std::size_t few = 4096;
    if (magnitudes.size() < few) {
        return;
    }
    std::vector<std::uint32_t> counts(std::size_t{1} << 17U);
    for (const double magnitude : magnitudes) {
        ++counts[bucketOf(magnitude)];
    }
    std::size_t smaller = 0;
    std::size_t first = 0;
    while (static_cast<double>(smaller + counts[first]) <= rank) {
        smaller += counts[first++];
    }
    std::erase_if(magnitudes, [&](double magnitude) { return bucketOf(magnitude) < first; });
    rank -= static_cast<double>(smaller);
}

/// Interpolated linearly between the closest ranks. Reorders `magnitudes`, which must not be empty.
double percentile99(std::vector<double>& magnitudes) {
    double rank = 0.99 * static_cast<double>(magnitudes.size() - 1);
    dropSmaller(magnitudes, rank);
    const auto below = static_cast<std::ptrdiff_t>(rank);
    const auto at = magnitudes.begin() + below;
    std::ranges::nth_element(magnitudes, at);
    if (at + 1 == magnitudes.end()) {
        return *at;
    }
    const double next = *std::min_element(at + 1, magnitudes.end());
    return *at + (next - *at) * (rank - static_cast<double>(below));
}

}  // namespace

GapNumbers measureGap(std::span<const double> reference, std::span<const double> runtime,
                      FloatFormat format) {
    GapNumbers numbers;
    if (reference.empty()) {
        return numbers;
    }
    const auto count = static_cast<double>(reference.size());
    const Powers sums = powersOf(reference, runtime);
    numbers[GapMetric::Mse] = sums.noise / count;
    numbers[GapMetric::L1] = sums.absolute;
    numbers[GapMetric::Snr] = decibels(sums.signal, sums.noise);

    const bundled_program::Metrics finite = finiteMetrics(reference, runtime);
    numbers[GapMetric::Cosine] = finite.cosineSimilarity;
    numbers[GapMetric::MaxAbsolute] = finite.maxAbsoluteError;
    numbers[GapMetric::MaxRelative] = finite.maxRelativeError;
    numbers[GapMetric::Ulp] = ulpOf(reference, runtime, format);
    if (finite.meanSquaredError) {
        const double range = finiteRange(reference);
        numbers[GapMetric::Psnr] = decibels(range * range, *finite.meanSquaredError);
    }
    return numbers;
}

SideStatistics statisticsOf(std::span<const double> numbers) {
    SideStatistics side{.elements = numbers.size()};
    std::vector<double> magnitudes;
    magnitudes.reserve(numbers.size());
    double sum = 0;
    for (const double number : numbers) {
        if (!std::isfinite(number)) {
            ++(std::isnan(number) ? side.nans : side.infinities);
            continue;
        }
        side.zeros += number == 0 ? 1U : 0U;
        side.minimum = magnitudes.empty() ? number : std::min(side.minimum, number);
        side.maximum = magnitudes.empty() ? number : std::max(side.maximum, number);
        sum += number;
        magnitudes.push_back(std::abs(number));
    }
    if (magnitudes.empty()) {
        return side;
    }
    const auto count = static_cast<double>(magnitudes.size());
    side.mean = sum / count;
    double squares = 0;
    for (const double number : numbers) {
        squares += std::isfinite(number) ? (number - side.mean) * (number - side.mean) : 0;
    }
    side.deviation = std::sqrt(squares / count);
    side.p99 = percentile99(magnitudes);
    return side;
}

}  // namespace et::inspector
