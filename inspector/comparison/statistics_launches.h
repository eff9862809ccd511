#pragma once

#include "inspector/comparison/statistics.h"

#include <cstddef>
#include <span>
#include <vector>

// Tests whether one program is slower than another, from several launches of both. Two processes of one
// program differ for reasons that more runs do not average out, so launches are the unit. Pure functions; the
// method is described in docs/explanation/verdicts.md.
namespace et::inspector {

/// Minimum number of launches per side for a verdict: of the 2^7 random assignments of the sides, 2 are as
/// extreme as seven launches that agree.
inline constexpr std::size_t minLaunches = 7;

/// The times of one row per launch: `a[i]` ran in alternation with `b[i]`, in random order. Both have the
/// same number of launches; empty if a launch did not run it.
struct LaunchSamples {
    std::vector<std::span<const double>> a{};
    std::vector<std::span<const double>> b{};
    double resolution = 0;  ///< of the clock, see clockResolution(); smaller differences are meaningless
};

enum class FamilyKind : std::uint8_t {
    Independent,  ///< independent of each other, such as totals of methods
    Process,      ///< operators of one process, which share its random effects
};

/// Compares each member of the family; all have the same number of launches. Verdicts Slower and Faster are
/// wrong in at most half of 1 - options.confidence of families without any difference, for any distribution
/// of the times (randomization test; a report tests two families, its totals and its operators).
/// `options.paired` is ignored. Samples must be finite.
[[nodiscard]] std::vector<TimeTest> testLaunches(std::span<const LaunchSamples> family, FamilyKind kind,
                                                 const TestOptions& options);

/// Representative time of a launch: the mean of the faster half of its runs, because other load only ever
/// adds time. 0 without runs.
[[nodiscard]] double fasterHalf(std::span<const double> runs);

/// Clock resolution of these times: the smallest difference between two unequal ones; 0 if all are equal.
[[nodiscard]] double clockResolution(std::span<const std::span<const double>> times);

}  // namespace et::inspector
