#pragma once

#include "inspector/comparison/statistics_launches.h"

#include <cstddef>
#include <span>
#include <vector>

// What launches say of one thing, before it is tested: see statistics_launches.h.
namespace et::inspector::detail {

struct MeanAndError {
    double mean = 0;
    double error = 0;
};
/// Of values that do not depend on one another; no error of a single one.
[[nodiscard]] MeanAndError meanOf(std::span<const double> values);

/// The values, cut off where they are far larger than most of those that are present: in medians of their
/// sizes, which do not depend on their signs.
[[nodiscard]] std::vector<double> withoutLarge(std::vector<double> values, std::span<const double> present);

/// The values, cut off to the range.
[[nodiscard]] std::vector<double> within(std::vector<double> values, const Interval& range);

/// How many of the values are not cut off. The mean of the others has an error that is larger by as much as
/// this is below 1. Definition: Huber, "Robust statistics", 1981, section 6.5.
[[nodiscard]] double shareWithin(std::span<const double> values, const Interval& range);

/// One of a family.
struct LaunchEffects {
    const LaunchSamples* samples = nullptr;
    std::vector<double> timesA{};  ///< of the launches that have it
    std::vector<double> timesB{};
    std::vector<double> effects{};  ///< log(B / A), launch by launch; 0 where it is missing
    std::vector<double> present{};  ///< 1, or 0 where it is missing
    std::vector<double> own{};      ///< effects less those of the process
    Interval range{};               ///< where `own` counts in full in an estimate
    double floor = 0;               ///< no time counts as less

    explicit LaunchEffects(const LaunchSamples& of);
    [[nodiscard]] std::size_t launches() const { return timesA.size(); }
    /// It takes too few steps of the clock.
    [[nodiscard]] bool tooShort() const;
    /// Values of the launches that have it.
    [[nodiscard]] std::vector<double> where(std::span<const double> values) const;
};

/// What the launches of a process have in common.
struct ProcessEffects {
    std::vector<double> raw;
    std::vector<double> cut;  ///< for the estimate
    double share = 0;         ///< that is believed

    /// The median of the family's effects, launch by launch, weighted by how little they vary; zero where
    /// they are too few to tell, or have no process in common. Fills their `own`.
    ProcessEffects(std::span<LaunchEffects> family, FamilyKind kind);
};

}  // namespace et::inspector::detail
