#pragma once

#include "bundled_program/compare.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

namespace et::bundled_program::detail {

/// ULP distance of two floats: the number of representable values between them, counting up from zero on both
/// sides.
template <class T>
[[nodiscard]] std::uint64_t ulpDistance(T left, T right) {
    using Bits = std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                    std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;
    constexpr auto signBit = static_cast<Bits>(Bits{1} << (sizeof(T) * 8 - 1));
    const auto magnitude = [](T value) {
        return static_cast<std::uint64_t>(std::bit_cast<Bits>(value) & static_cast<Bits>(~signBit));
    };
    const bool sameSign = ((std::bit_cast<Bits>(left) ^ std::bit_cast<Bits>(right)) & signBit) == 0;
    const std::uint64_t a = magnitude(left);
    const std::uint64_t b = magnitude(right);
    return sameSign ? (a > b ? a - b : b - a) : a + b;
}

/// Accumulates Metrics pair by pair and keeps the worst one.
class ElementErrors {
  public:
    explicit ElementErrors(const Tolerance& allowed) : tolerance(allowed) {}

    /// Adds a pair of numbers at index `place`; returns true if they agree.
    template <class T>
    bool add(T given, T expected, std::size_t place) {
        const auto left = static_cast<double>(given);
        const auto right = static_cast<double>(expected);
        if (!std::isfinite(left) || !std::isfinite(right)) {
            const bool same = (std::isnan(left) && std::isnan(right)) || left == right;
            nonFinite += same ? 0 : 1;
            return same || judge(std::numeric_limits<double>::infinity(), place);
        }
        if constexpr (!std::is_integral_v<T>) {
            ulp = std::max(ulp, ulpDistance(given, expected));
        }
        return addFinite(difference(given, expected), left, right, place);
    }

    [[nodiscard]] Metrics metrics(bool floating) const;
    /// Index of the worst pair; empty if all are equal.
    [[nodiscard]] std::optional<std::size_t> worstPlace() const { return worst; }

  private:
    template <class T>
    static double difference(T given, T expected) {
        if constexpr (std::is_integral_v<T>) {
            // 64-bit integers can differ by less than the precision of a double. Both sides wrap around
            // alike. NOLINTBEGIN(bugprone-signed-char-misuse)
            const auto larger = static_cast<std::uint64_t>(given > expected ? given : expected);
            const auto smaller = static_cast<std::uint64_t>(given > expected ? expected : given);
            // NOLINTEND(bugprone-signed-char-misuse)
            return static_cast<double>(larger - smaller);
        } else {
            return std::abs(static_cast<double>(given) - static_cast<double>(expected));
        }
    }

    bool addFinite(double error, double given, double expected, std::size_t place) {
        ++pairs;
        largest = std::max(largest, error);
        if (expected != 0) {
            ++relativePairs;
            largestRelative = std::max(largestRelative, error / std::abs(expected));
        }
        sum += error;
        noise += error * error;
        signal += expected * expected;
        givenPower += given * given;
        product += given * expected;
        return error == 0 ||
               judge(error, place, tolerance.absolute + tolerance.relative * std::abs(expected));
    }

    /// Returns true if the error is within the tolerance.
    bool judge(double error, std::size_t place, double allowed = 0) {
        const double excess = allowed > 0 ? error / allowed : std::numeric_limits<double>::infinity();
        if (!worst || excess > worstExcess || (excess == worstExcess && error > worstError)) {
            worst = place;
            worstExcess = excess;
            worstError = error;
        }
        return error <= allowed;
    }

    Tolerance tolerance;
    std::uint64_t pairs = 0;  ///< of finite numbers
    std::uint64_t relativePairs = 0;
    std::uint64_t nonFinite = 0;
    std::uint64_t ulp = 0;
    double largest = 0;
    double largestRelative = 0;
    double sum = 0;
    double noise = 0;
    double signal = 0;
    double givenPower = 0;
    double product = 0;
    std::optional<std::size_t> worst;
    double worstExcess = 0;
    double worstError = 0;
};

inline Metrics ElementErrors::metrics(bool floating) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const auto undefined = nonFinite > 0 ? std::optional(-infinity) : std::nullopt;
    if (pairs == 0) {
        Metrics none;
        none.nonFinite = nonFinite;
        none.signalToNoiseDecibels = undefined;
        return none;
    }
    Metrics result{.maxAbsoluteError = largest,
                   .maxRelativeError = {},
                   .meanAbsoluteError = sum / static_cast<double>(pairs),
                   .meanSquaredError = noise / static_cast<double>(pairs),
                   .nonFinite = nonFinite,
                   .signalToNoiseDecibels = undefined,
                   .cosineSimilarity = {},
                   .maxSteps = {},
                   .top1Agreement = {},
                   .maxUlp = {}};
    if (relativePairs > 0) {
        result.maxRelativeError = largestRelative;
    }
    if (noise > 0 && signal > 0 && !undefined) {
        result.signalToNoiseDecibels = 10 * std::log10(signal / noise);
    }
    if (signal > 0 && givenPower > 0) {
        result.cosineSimilarity = product / (std::sqrt(signal) * std::sqrt(givenPower));
    }
    if (floating) {
        result.maxUlp = ulp;
    }
    return result;
}

}  // namespace et::bundled_program::detail
