#pragma once

#include "inspector/comparison/statistics_launches.h"

#include <cstddef>
#include <span>
#include <vector>

// Effects of launches on one row, prepared for the tests of statistics_launches.h.
namespace et::inspector::comparison::detail {

struct MeanAndError {
    double mean = 0;
    double error = 0;
};
/// Mean of independent values; the error of a single value is unknown.
[[nodiscard]] MeanAndError meanOf(std::span<const double> values);

/// The values, clipped where they are far larger than most of those present; the limit is in medians of their
/// absolute values, which do not depend on their signs.
[[nodiscard]] std::vector<double> withoutLarge(std::vector<double> values, std::span<const double> present);

/// The values, clipped to the range.
[[nodiscard]] std::vector<double> within(std::vector<double> values, const Interval& range);

/// Share of the values that are not clipped. The error of the clipped mean grows by its inverse. Definition:
/// Huber, "Robust statistics", 1981, section 6.5.
[[nodiscard]] double shareWithin(std::span<const double> values, const Interval& range);

/// Launch effects of one member of a family.
struct LaunchEffects {
    const LaunchSamples* samples = nullptr;
    std::vector<double> timesA{};  ///< of the launches that contain it
    std::vector<double> timesB{};
    std::vector<double> effects{};  ///< log(B / A) per launch; 0 if missing
    std::vector<double> present{};  ///< 1, or 0 if missing
    std::vector<double> own{};      ///< effects minus those of the process
    Interval range{};               ///< range in which `own` counts fully in an estimate
    double floor = 0;               ///< minimum time; smaller ones are raised to it

    explicit LaunchEffects(const LaunchSamples& of);
    [[nodiscard]] std::size_t launches() const { return timesA.size(); }
    /// True if it spans too few clock steps.
    [[nodiscard]] bool tooShort() const;
    /// Values of the launches that contain it.
    [[nodiscard]] std::vector<double> where(std::span<const double> values) const;
};

/// Effects common to a process's launches.
struct ProcessEffects {
    std::vector<double> raw;
    std::vector<double> cut;  ///< for the estimate
    double share = 0;         ///< share that is applied

    /// Median of the family's effects per launch, weighted by how little they vary; zero if there are too
    /// few, or the family does not share a process. Fills their `own`.
    ProcessEffects(std::span<LaunchEffects> family, FamilyKind kind);
};

}  // namespace et::inspector::comparison::detail
