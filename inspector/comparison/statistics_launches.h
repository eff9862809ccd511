#pragma once

#include "inspector/comparison/statistics.h"

#include <cstddef>
#include <span>
#include <vector>

// Whether one program takes longer than another, from several launches of both. Two processes of one program
// differ for reasons that no number of runs inside them averages away, so launches are what counts. Pure
// functions; the method is described in docs/compare.md.
namespace et::inspector {

/// Fewer launches of each side than this decide nothing: of the 2^7 ways in which chance names the sides, 2
/// are as clear as seven launches that agree.
inline constexpr std::size_t minLaunches = 7;

/// The times of something in launch after launch: `a[i]` ran in turns with `b[i]`, in an order left to
/// chance. As many of both; empty where a launch did not run it.
struct LaunchSamples {
    std::vector<std::span<const double>> a{};
    std::vector<std::span<const double>> b{};
    double resolution = 0;  ///< of the clock, see clockResolution(); differences up to it say nothing
};

enum class FamilyKind : std::uint8_t {
    Independent,  ///< each for itself, as totals of methods
    Process,      ///< the operators of a process, which have its luck in common
};

/// Compares each of the family, whose members have the same number of launches. Verdicts Slower and Faster
/// are wrong in at most half of 1 - options.confidence of families without any difference, whatever the
/// distribution of the times: a test by randomization. (A report asks two such questions, of its totals and
/// of its operators.) `options.paired` does not count. Samples must be finite.
[[nodiscard]] std::vector<TimeTest> testLaunches(std::span<const LaunchSamples> family, FamilyKind kind,
                                                 const TestOptions& options);

/// What stands for a launch: the mean of the faster half of its runs. Other load only ever adds time. 0
/// without runs.
[[nodiscard]] double fasterHalf(std::span<const double> runs);

/// Of the clock behind these times: the smallest difference between two that are not equal; 0 where
/// all are.
[[nodiscard]] double clockResolution(std::span<const std::span<const double>> times);

}  // namespace et::inspector
