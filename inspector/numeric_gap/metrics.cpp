#include "inspector/numeric_gap/metrics.h"

#include "bundled_program/element_errors.h"
#include "bundled_program/tolerance.h"
#include "inspector/numeric_gap/lanes.h"
#include "runtime/core/element_types.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace et::inspector {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// Pairs of numbers by whether they can be subtracted.
struct PairSums {
    double absolute = 0;
    double noise = 0;
    bool hasNan = false;     ///< in equal places on both sides
    bool isUnequal = false;  ///< only one side is finite, or infinities have different signs

    void add(double expected, double given) {
        if (std::isfinite(expected) && std::isfinite(given)) {
            const double error = expected - given;
            absolute += std::abs(error);
            noise += error * error;
        } else if (std::isnan(expected) && std::isnan(given)) {
            hasNan = true;
        } else if (expected != given) {
            isUnequal = true;
        }
    }

    /// A sum or a maximum of errors: infinite if a number cannot be compared, undefined for NaN on both
    /// sides.
    [[nodiscard]] double error(double finite) const {
        return isUnequal ? infinity : hasNan ? notANumber : finite;
    }
};

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

/// In decibels; nothing if both are 0.
std::optional<double> decibels(double signal, double noise) {
    const double ratio = 10 * std::log10(signal / noise);
    return std::isnan(ratio) ? std::nullopt : std::optional(ratio);
}

/// All measurements of two tensors without NaN and infinities, in one pass. One value per lane.
struct FiniteSums {
    lanes::Doubles absolute{};
    lanes::Doubles noise{};
    lanes::Doubles signal{};
    lanes::Doubles given{};
    lanes::Doubles product{};
    lanes::Doubles largest{};
    lanes::Doubles largestRelative{};
    lanes::Doubles minimum{};
    lanes::Doubles maximum{};

    FiniteSums() {
        minimum.fill(std::numeric_limits<double>::infinity());
        maximum.fill(-std::numeric_limits<double>::infinity());
    }

    void add(double expected, double actual, std::size_t lane) {
        const double error = std::abs(expected - actual);
        absolute[lane] += error;
        noise[lane] += error * error;
        signal[lane] += expected * expected;
        given[lane] += actual * actual;
        product[lane] += actual * expected;
        largest[lane] = error > largest[lane] ? error : largest[lane];
        minimum[lane] = expected < minimum[lane] ? expected : minimum[lane];
        maximum[lane] = expected > maximum[lane] ? expected : maximum[lane];
        const double quotient = error / std::abs(expected);
        const double relative = expected != 0 ? quotient : 0;
        largestRelative[lane] = relative > largestRelative[lane] ? relative : largestRelative[lane];
    }

    /// Whether any expected number is nonzero.
    [[nodiscard]] bool isRelative() const {
        return std::ranges::min(minimum) < 0 || std::ranges::max(maximum) > 0;
    }
};

template <class T>
FiniteSums sumFinite(std::span<const T> reference, std::span<const T> runtime) {
    FiniteSums sums;
    lanes::forEach(reference.size(),
                   [&](std::size_t i, std::size_t lane) { sums.add(reference[i], runtime[i], lane); });
    return sums;
}

template <class T>
GapNumbers measureFinite(std::span<const T> reference, std::span<const T> runtime) {
    const FiniteSums sums = sumFinite(reference, runtime);
    const auto count = static_cast<double>(reference.size());
    const double noise = lanes::sum(sums.noise);
    const double signal = lanes::sum(sums.signal);
    const double given = lanes::sum(sums.given);
    GapNumbers numbers;
    numbers[GapMetric::Mse] = noise / count;
    numbers[GapMetric::L1] = lanes::sum(sums.absolute);
    numbers[GapMetric::Snr] = decibels(signal, noise);
    if (signal > 0 && given > 0) {
        numbers[GapMetric::Cosine] = lanes::sum(sums.product) / (std::sqrt(signal) * std::sqrt(given));
    }
    numbers[GapMetric::MaxAbsolute] = std::ranges::max(sums.largest);
    if (sums.isRelative()) {
        numbers[GapMetric::MaxRelative] = std::ranges::max(sums.largestRelative);
    }
    const double range = std::ranges::max(sums.maximum) - std::ranges::min(sums.minimum);
    numbers[GapMetric::Psnr] = decibels(range * range, noise / count);
    return numbers;
}

/// Largest difference of two float32 numbers in units in the last place.
std::uint32_t maxUlpOfFloats(std::span<const float> reference, std::span<const float> runtime) {
    std::uint32_t ulp = 0;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        ulp = std::max(
            ulp, static_cast<std::uint32_t>(bundled_program::detail::ulpDistance(reference[i], runtime[i])));
    }
    return ulp;
}

/// For tensors with NaN or infinities. Ratios are never those of the finite numbers alone, which could be
/// equal.
GapNumbers measureSpecial(std::span<const double> reference, std::span<const double> runtime) {
    PairSums sums;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        sums.add(reference[i], runtime[i]);
    }
    const bundled_program::Metrics finite = finiteMetrics(reference, runtime);
    const double ratio = sums.isUnequal ? -infinity : notANumber;
    GapNumbers numbers;
    numbers[GapMetric::Mse] = sums.error(sums.noise / static_cast<double>(reference.size()));
    numbers[GapMetric::L1] = sums.error(sums.absolute);
    numbers[GapMetric::Snr] = ratio;
    numbers[GapMetric::Psnr] = ratio;
    numbers[GapMetric::Cosine] = sums.isUnequal || sums.hasNan ? notANumber : finite.cosineSimilarity;
    numbers[GapMetric::MaxAbsolute] = sums.error(finite.maxAbsoluteError.value_or(0));
    numbers[GapMetric::MaxRelative] = sums.isUnequal || sums.hasNan ? sums.error(0) : finite.maxRelativeError;
    return numbers;
}

}  // namespace

GapNumbers measureGap(std::span<const double> reference, std::span<const double> runtime,
                      FloatFormat format) {
    if (reference.empty()) {
        return {};
    }
    GapNumbers numbers = lanes::areFinite(reference) && lanes::areFinite(runtime)
                             ? measureFinite(reference, runtime)
                             : measureSpecial(reference, runtime);
    numbers[GapMetric::Ulp] = ulpOf(reference, runtime, format);
    return numbers;
}

GapNumbers measureGap(std::span<const float> reference, std::span<const float> runtime) {
    if (reference.empty()) {
        return {};
    }
    if (!lanes::areFinite(reference) || !lanes::areFinite(runtime)) {
        return measureGap(std::vector<double>(reference.begin(), reference.end()),
                          std::vector<double>(runtime.begin(), runtime.end()), FloatFormat::Float);
    }
    GapNumbers numbers = measureFinite(reference, runtime);
    const bool isEqual = numbers[GapMetric::MaxAbsolute] == 0.0;
    numbers[GapMetric::Ulp] = isEqual ? 0 : maxUlpOfFloats(reference, runtime);
    return numbers;
}

}  // namespace et::inspector
