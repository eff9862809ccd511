#pragma once

#include "inspector/comparison/statistics.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

// How a time depends on the position in the context. Pure functions.
namespace et::inspector {

struct GrowthSample {
    double position = 0;
    double time = 0;
};

enum class GrowthKind : std::uint8_t {
    Unknown,   ///< too few calls, or too few positions
    Constant,  ///< what changes from first to last is chance, or less than 5 % of it
    Linear,    ///< it grows, by the same for each position: the exponent's interval holds 1, or it is near
    Power,     ///< it grows with another exponent
    Falls,     ///< it becomes less
};
/// "unknown", "constant", "linear", "power", "falls".
[[nodiscard]] std::string_view growthKindName(GrowthKind kind);

/// Fewer calls than this, or positions, say nothing.
inline constexpr std::size_t minGrowthSamples = 8;

/// time = base + slope * position, by least squares without outliers. Intervals hold with 95 %, if calls are
/// independent.
struct GrowthFit {
    GrowthKind kind = GrowthKind::Unknown;
    std::size_t samples = 0;
    std::size_t outliers = 0;  ///< left out: farther from the line than the quartiles by 3 of their distances
    double base = 0;           ///< at position 0
    double slope = 0;          ///< for each position
    Interval slopeInterval{};
    double rSquared = 0;  ///< part of the variance that the line explains
    double first = 0;     ///< of the line, at the first position
    double last = 0;      ///< at the last one
    /// k of time = base + factor * (position + 1)^k, from 0.25 to 3, that leaves least squares; nothing where
    /// it does not grow.
    std::optional<double> exponent{};
    std::optional<Interval> exponentInterval{};

    [[nodiscard]] double at(double position) const { return base + slope * position; }
};

/// Times must be finite.
[[nodiscard]] GrowthFit fitGrowth(std::span<const GrowthSample> samples);

}  // namespace et::inspector
