#pragma once

#include "inspector/generation/growth_fit.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

// How a time or an amount of memory depends on the size of a dimension. Pure functions.
namespace et::app {

/// What was measured at one size.
struct SizeSample {
    std::int64_t size = 0;
    double value = 0;   ///< nanoseconds or bytes
    double spread = 0;  ///< how far two measurements were apart
};

/// Part of what was measured, at the same sizes: an operator, a kind of memory.
struct SizePart {
    std::string name;
    std::vector<double> values;
};

/// A rise that is more than the curve has on both sides of it.
struct SizeStep {
    std::int64_t before = 0;  ///< sizes next to each other that were measured
    std::int64_t after = 0;
    double from = 0;
    double to = 0;
    std::string maker{};   ///< the part that rises most; empty: none does
    double makerRise = 0;  ///< by that much
};

/// value = base + slope * size, by medians of the slopes between all pairs (Theil and Sen), which outliers do
/// not move.
struct SizeLine {
    double base = 0;
    double slope = 0;
    [[nodiscard]] double at(std::int64_t size) const { return base + slope * static_cast<double>(size); }
};

struct SizeTrend {
    SizeLine line;             ///< of the sizes up to linearUntil
    inspector::GrowthFit fit;  ///< of all; its kind is Unknown for fewer than minGrowthSamples sizes
    bool changes = false;      ///< there is more than 5 % between the smallest and the largest value
    /// The largest measured size up to which a line is right to linearTolerance. Nothing: too few sizes, or
    /// not even the first ones lie on a line.
    std::optional<std::int64_t> linearUntil{};
    std::vector<SizeStep> steps{};
};

/// Part of the value that a line may be off.
inline constexpr double linearTolerance = 0.1;
/// Of fewer sizes, none says that a line ends.
inline constexpr std::size_t minLinearSizes = 4;

/// `samples` by size, each size once; `parts` have a value for each.
[[nodiscard]] SizeTrend trendOf(std::span<const SizeSample> samples, std::span<const SizePart> parts);

/// Sizes from `first` to `last`, both among them: every `step`, or at most `most` with like distances where
/// it is 0.
[[nodiscard]] std::vector<std::int64_t> sizesBetween(std::int64_t first, std::int64_t last, std::int64_t step,
                                                     std::size_t most);

}  // namespace et::app
