#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// Randomization tests: the order within each pair of launches is random, so if the programs do not differ,
// each difference could equally have had the opposite sign.
namespace et::inspector {

/// Differences of one row per launch: its own effects, to which a share of the process's effects is added.
struct SignedEffects {
    std::vector<double> own;
    /// 1 if a launch contains the row, else 0.
    std::vector<double> present;
};

/// The share of the mean of `values` that is beyond chance: 1 - c (error / mean)^2, or 0. Definition: the
/// nonnegative garrote of Breiman, "Better subset regression using the nonnegative garrote", 1995; c is
/// `strictness`.
[[nodiscard]] double believedShare(double mean, double error, double strictness);

/// Strictness for a shift of all operators of a process: the share is 0 at two standard errors or less.
inline constexpr double processStrictness = 4;

/// For each member of the family, the probability that chance makes it or any less significant one as extreme
/// as observed: over all sign assignments of the launches (for many launches, over a random sample). Controls
/// the error rate of the whole family, for any dependence between its members. Definition: Westfall and
/// Young, "Resampling-based multiple testing", 1993 (step-down maxT), with the sums normalized by their own
/// squares.
[[nodiscard]] std::vector<double> signProbabilities(std::span<const SignedEffects> family,
                                                    std::span<const double> process, std::uint64_t seed);

}  // namespace et::inspector
