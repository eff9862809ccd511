#pragma once

#include "inspector/comparison/statistics.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

// Fits the dependence of a time on the position in the context. Pure functions.
namespace et::inspector {

struct GrowthSample {
    double position = 0;
    double time = 0;
};

enum class GrowthKind : std::uint8_t {
    Unknown,   ///< too few calls, or too few positions
    Constant,  ///< the change from first to last is chance, or less than 5 %
    Linear,  ///< grows by a constant amount per position: the exponent is near 1, or its interval contains 1
    Power,   ///< grows with another exponent
    Falls,   ///< decreases
};
/// "unknown", "constant", "linear", "power", "falls".
[[nodiscard]] std::string_view growthKindName(GrowthKind kind);

/// Minimum number of calls, and of positions, for a result.
inline constexpr std::size_t minGrowthSamples = 8;

/// time = base + slope * position, by least squares without outliers. Intervals have 95 % confidence if calls
/// are independent.
struct GrowthFit {
    GrowthKind kind = GrowthKind::Unknown;
    std::size_t samples = 0;
    std::size_t outliers = 0;  ///< excluded: beyond the quartiles of the residuals by more than 3
                               ///< interquartile ranges
    double base = 0;           ///< at position 0
    double slope = 0;          ///< per position
    Interval slopeInterval{};
    double rSquared = 0;  ///< share of the variance explained by the line
    double first = 0;     ///< of the line, at the first position
    double last = 0;      ///< of the line, at the last position
    /// k of time = base + factor * (position + 1)^k, from 0.25 to 3, with the least squares; empty if the
    /// time does not grow.
    std::optional<double> exponent{};
    std::optional<Interval> exponentInterval{};

    [[nodiscard]] double at(double position) const { return base + slope * position; }
};

/// Times must be finite.
[[nodiscard]] GrowthFit fitGrowth(std::span<const GrowthSample> samples);

}  // namespace et::inspector
