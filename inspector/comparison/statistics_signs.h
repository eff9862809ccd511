#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// Tests by randomization: chance decided in each pair of launches who runs where and when, so that without a
// difference between the programs each difference could as well have had the other sign.
namespace et::inspector {

/// The differences of one thing, launch by launch: its own, to which a share of what the process has is
/// added.
struct SignedEffects {
    std::vector<double> own;
    /// 1 or 0: whether a launch has the thing.
    std::vector<double> present;
};

/// The part of `values`' mean that is beyond chance: 1 - c (error / mean)^2, or 0. Definition: the
/// nonnegative garrote of Breiman, "Better subset regression using the nonnegative garrote", 1995; c is
/// `strictness`.
[[nodiscard]] double believedShare(double mean, double error, double strictness);

/// How strictly a shift of all operators of a process is believed: at two standard errors, not at all.
inline constexpr double processStrictness = 4;

/// For each of the family, how probable it is that chance makes it, or any that is less clear, as clear as it
/// is: of all ways to give signs to the launches (of many launches, of so many at random). Holds for the
/// family together, however its members depend on one another. Definition: Westfall and Young,
/// "Resampling-based multiple testing", 1993 (step-down maxT), with the sums normalized by their own squares.
[[nodiscard]] std::vector<double> signProbabilities(std::span<const SignedEffects> family,
                                                    std::span<const double> process, std::uint64_t seed);

}  // namespace et::inspector
