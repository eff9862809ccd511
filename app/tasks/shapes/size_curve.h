#pragma once

#include "app/tasks/model/size_range.h"
#include "inspector/generate/growth_fit.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Dependence of a time or an amount of memory on the size of a dimension. Pure functions.
namespace et::tasks {

/// Measurement at one size.
struct SizeSample {
    std::int64_t size = 0;
    double value = 0;   ///< nanoseconds or bytes
    double spread = 0;  ///< difference of two measurements
};

/// Component of a measurement at the same sizes: an operator, or a kind of memory.
struct SizePart {
    std::string name;
    std::size_t calls = 1;  ///< calls summed in this part
    std::vector<double> values{};
};

/// A rise that is steeper than the curve on both sides.
struct SizeStep {
    std::int64_t before = 0;  ///< adjacent measured sizes
    std::int64_t after = 0;
    double from = 0;
    double to = 0;
    std::string maker{};   ///< part that rises most, "mul.out (12 calls)"; empty: none
    double makerRise = 0;  ///< rise of that part
};

/// value = base + slope * size, from medians of the slopes between all pairs (Theil and Sen), which are
/// robust against outliers.
struct SizeLine {
    double base = 0;
    double slope = 0;
    [[nodiscard]] double at(std::int64_t size) const { return base + slope * static_cast<double>(size); }
};

/// A part that leaves its line at the same size as the whole.
struct Nonlinearity {
    std::string maker{};
    double excess = 0;  ///< at the largest size, above the line through the smaller ones
};

struct SizeTrend {
    SizeLine line;             ///< for sizes up to linearUntil
    inspector::GrowthFit fit;  ///< over all sizes; its kind is Unknown below minGrowthSamples sizes
    bool changes = false;      ///< minimum and maximum differ by more than 5 %
    /// Largest measured size up to which a line is accurate to linearTolerance. Nothing: too few sizes, or
    /// even the first ones are not on a line.
    std::optional<std::int64_t> linearUntil{};
    std::vector<SizeStep> steps{};
    std::vector<Nonlinearity> bends{};  ///< causes of the nonlinearity, largest first, at most mostBends
};

inline constexpr std::size_t mostBends = 3;

/// Relative error allowed for a line.
inline constexpr double linearTolerance = 0.1;
/// Minimum number of sizes for detecting where a line ends.
inline constexpr std::size_t minLinearSizes = 4;

/// `samples` are sorted by size without duplicates; each of `parts` has a value per sample.
[[nodiscard]] SizeTrend trendOf(std::span<const SizeSample> samples, std::span<const SizePart> parts);

/// Sizes from `first` to `last` inclusive, every `step`; if that is 0, at most `most` evenly spaced ones.
[[nodiscard]] std::vector<std::int64_t> sizesBetween(std::int64_t first, std::int64_t last, std::int64_t step,
                                                     std::size_t most);
/// Sizes to measure: every step, or 17 evenly spaced ones; includes both ends.
[[nodiscard]] std::vector<std::int64_t> sizesOf(const SizeRange& range);

}  // namespace et::tasks
